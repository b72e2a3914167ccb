import type { Transaction } from '@pacioli/core';
import { plusDays } from '@pacioli/core/calendar';
import type { EntryFlows } from '@pacioli/ledger';
import { FlowTotals } from '../cash-flow/index.ts';
import { flowRules } from './flow-layout.ts';
import type { FlowColumn } from './statement.ts';
import type { SourceColumn, StatementSource } from './statement-reader.ts';
import type { Window } from './window.ts';

/** Reads the special entries of columns and allocates them; one statement, however many columns (reporting S-13). */
export class FlowReader {
  readonly #entryFlows: EntryFlows;

  constructor(entryFlows: EntryFlows) {
    this.#entryFlows = entryFlows;
  }

  /** The columns in their order; an entry counts in every column that contains its posting date. */
  async read(
    tx: Transaction,
    { layout, currency }: StatementSource,
    columns: readonly (SourceColumn & { readonly label: string })[],
  ): Promise<readonly FlowColumn[]> {
    const each = columns.map((column) => {
      const rules = flowRules(
        layout,
        column.mapped.map(({ concept }) => concept),
      );
      return { column, rules, totals: new FlowTotals(rules, column.accounts) };
    });
    const entries = this.#entryFlows.entries(tx, {
      ranges: mergedWindows(columns.map(({ window }) => window)),
      currency,
      // Entries that are special in one column only do not change the totals of another one.
      accountIds: [...new Set(each.flatMap(({ totals }) => totals.specialAccountIds))],
      flowElementIds: [...new Set(each.flatMap(({ rules }) => rules.network.leafElementIds))],
    });
    for await (const { id, postingDate, flows } of entries) {
      for (const { column, totals } of each) {
        const isInside = postingDate >= column.window.start && postingDate <= column.window.end;
        if (isInside && !column.clearingEntryIds.has(id)) totals.add(flows);
      }
    }
    return each.map(({ column, rules, totals }) => ({
      ...column,
      network: rules.network,
      cashFlow: totals.cashFlow(),
      equityChanges: totals.equityChanges(),
    }));
  }
}

/** The days of all windows, as windows that neither overlap nor touch. */
export function mergedWindows(windows: readonly Window[]): readonly Window[] {
  const merged: { start: string; end: string }[] = [];
  for (const { start, end } of windows.toSorted((a, b) => (a.start < b.start ? -1 : 1))) {
    const last = merged.at(-1);
    if (last === undefined || start > plusDays(last.end, 1)) merged.push({ start, end });
    else if (end > last.end) last.end = end;
  }
  return merged;
}
