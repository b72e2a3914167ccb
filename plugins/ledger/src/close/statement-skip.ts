import type { Transaction } from '@pacioli/core';
import type { ChartOfAccounts, Mappings } from '@pacioli/taxonomy';
import type { Entities } from '../parties/index.ts';

/** Explains why a close stamped no statements, when no step that stamps them does so itself (ledger L-158). */
export class StatementSkip {
  readonly #chart: ChartOfAccounts;
  readonly #mappings: Mappings;
  readonly #entities: Entities;

  constructor(parts: {
    readonly chart: ChartOfAccounts;
    readonly mappings: Mappings;
    readonly entities: Entities;
  }) {
    this.#chart = parts.chart;
    this.#mappings = parts.mappings;
    this.#entities = parts.entities;
  }

  async note(tx: Transaction): Promise<'no_taxonomy' | 'no_coa_mapping' | 'no_entity' | 'no_statement_structures'> {
    if (!(await this.#chart.exists(tx))) return 'no_taxonomy';
    if ((await this.#mappings.bookMappingId(tx)) === undefined) return 'no_coa_mapping';
    return (await this.#entities.primary(tx)) === undefined ? 'no_entity' : 'no_statement_structures';
  }
}
