import type { Store } from '@pacioli/core';
import { expect } from 'vitest';
import { moneyRules } from '../src/log/money-rules.ts';
import type { Books } from './books.ts';
import { type BooksSnapshot, isPosted } from './read-books.ts';
import { sides } from './receivables-steps.ts';

/** In each currency, open amounts equal the control account; totals are in the functional currency (ledger L-206). */
export async function expectControlled(book: Books, seen: BooksSnapshot): Promise<void> {
  const rows = 'openBalanceCents currency';
  const open = await book.query(`{ openReceivables { totalOpenCents currency } openPayables { totalOpenCents currency }
    openReceivablesByAgent { ${rows} } openPayablesByAgent { ${rows} } }`);
  const functional = seen.functionalCurrency ?? 'USD';
  for (const [name, { control, sign }] of Object.entries(sides)) {
    const field = name === 'sales' ? 'openReceivables' : 'openPayables';
    const balances = new Map<string, number>();
    for (const entry of seen.entries.filter(isPosted))
      for (const line of entry.lines.filter((each) => each.element_id === book.id(control)))
        balances.set(
          entry.currency,
          (balances.get(entry.currency) ?? 0) + sign * (line.debit_amount - line.credit_amount),
        );
    const byAgent = new Map<string, number>();
    for (const row of open[`${field}ByAgent`])
      byAgent.set(row.currency, (byAgent.get(row.currency) ?? 0) + row.openBalanceCents);
    const nonZero = (sums: Map<string, number>) => [...sums].filter(([, cents]) => cents !== 0).sort();
    expect([name, nonZero(byAgent)]).toEqual([name, nonZero(balances)]);
    const total = { totalOpenCents: (balances.get(functional) ?? 0) + 0, currency: functional };
    expect([name, open[field]]).toEqual([name, total]);
  }
}

/** The stored open amounts equal those that all events, entries and settlements give (ledger L-100c). */
export async function expectStored(store: Store, graphId: string): Promise<void> {
  const [stored] = moneyRules.filter(({ rule }) => rule === 'L-100c');
  if (stored === undefined) throw new Error('The verifier does not check stored open amounts.');
  expect(await store.transaction({ graphId }, (tx) => tx.query(stored.offenders(graphId)))).toEqual([]);
}
