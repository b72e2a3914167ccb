import type { Transaction } from '@pacioli/core';
import { type FlowColumn, FlowReader, StatementReader, type StatementReaderParts } from '../statements/index.ts';
import { composeStatements, type LabeledWindow, type StatementSet } from './compose-statements.ts';

/** The statements of the books for some columns, not stored. */
export interface Composition extends StatementSet {
  readonly currency: string;
  /** The amounts and flows that the statements were made from, in the order of the columns. */
  readonly columns: readonly FlowColumn[];
  /** The number of active accounts without a concept (S-31). */
  readonly unmappedCount: number;
  /** The code of the reporting style, such as `BSC-CORP-IS02-CF1`. */
  readonly styleCode: string;
}

/** Makes the statements of the current books as facts, for reports and for any other owner of fact sets. */
export class StatementComposer {
  readonly #parts: StatementReaderParts;

  constructor(parts: StatementReaderParts) {
    this.#parts = parts;
  }

  /**
   * All statements of the company's reporting style in the given columns, with the facts of each. Sends a constant
   * number of statements and writes nothing. Uses the mapping of the books unless another one is given; without one
   * it throws NO_MAPPING.
   */
  async compose(
    tx: Transaction,
    windows: readonly LabeledWindow[],
    options: { readonly mappingId?: string } = {},
  ): Promise<Composition> {
    const source = await new StatementReader(this.#parts).read(tx, windows, options);
    const columns = source.columns.map((column, index) => ({ ...column, label: windows[index]?.label ?? '' }));
    const flows = await new FlowReader(this.#parts.entryFlows).read(tx, source, columns);
    const { currency, unmappedCount } = source;
    const styleCode = source.style.style.code;
    return { ...composeStatements(source, windows, flows), columns: flows, currency, unmappedCount, styleCode };
  }
}
