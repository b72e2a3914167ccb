import type { Transaction } from '@pacioli/core';
import type { EntryFlows } from '@pacioli/ledger';
import { FlowTotals } from '../cash-flow/index.ts';
import { flowRules } from './flow-layout.ts';
import type { FlowColumn } from './statement.ts';
import type { SourceColumn, StatementSource } from './statement-reader.ts';

/** Reads the special entries of a column and allocates them; one statement (reporting S-13). */
export class FlowReader {
  readonly #entryFlows: EntryFlows;

  constructor(entryFlows: EntryFlows) {
    this.#entryFlows = entryFlows;
  }

  async read(
    tx: Transaction,
    { layout, currency }: StatementSource,
    column: SourceColumn & { readonly label: string },
  ): Promise<FlowColumn> {
    const rules = flowRules(
      layout,
      column.mapped.map(({ concept }) => concept),
    );
    const totals = new FlowTotals(rules, column.accounts);
    const entries = this.#entryFlows.entries(tx, {
      range: column.window,
      currency,
      accountIds: totals.specialAccountIds,
      flowElementIds: rules.network.leafElementIds,
    });
    for await (const entry of entries) if (!column.clearingEntryIds.has(entry.id)) totals.add(entry.flows);
    return { ...column, network: rules.network, cashFlow: totals.cashFlow(), equityChanges: totals.equityChanges() };
  }
}
