/** @module-tag sessions */
import { describe, expect, it } from 'vitest';
import { type Books, done, entry, openBooks } from './books.ts';
import { recorded, sale } from './close-books.ts';
import { clock, service, useCloseBooks, user } from './close-fixture.ts';
import { nodesOf, type PlanNode, planOf } from './long-books.ts';
import { interfereWith } from './statement-hook.ts';

useCloseBooks();

const legs = [
  ['1000', 100, 0],
  ['4000', 0, 100],
] as const;
const counted = '{ summary { transactionCount entryCount lineItemCount } }';

/** The rows of a table that the statements of the summary have read. */
async function rowsRead(book: Books, table: string): Promise<number> {
  const plans: PlanNode[] = [];
  const interference = interfereWith(service.store);
  interference.beforeStatement = async (text, tx, statement) => {
    if (text.includes(table)) plans.push(await planOf(tx, statement));
  };
  await book.query(counted);
  interference.beforeStatement = undefined;
  const nodes = plans.flatMap(nodesOf).filter((node) => node['Relation Name'] === table);
  return nodes.reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0);
}

describe('summary', () => {
  it('counts the same rows while months are open, closed and reopened (ledger L-158, L-169)', async () => {
    const book = await openBooks(user);
    for (const day of ['2026-03-01', '2026-03-31', '2026-04-01']) await recorded(book, entry(book, day, legs));
    await sale(book, '2026-03-15', 300);
    const retracted = await sale(book, '2026-03-16', 400);
    await done(book, 'update-event-block', { event_id: retracted.id, transition_to: 'voided' });
    const { summary: open } = await book.query(counted);
    expect(open.entryCount).toBeGreaterThanOrEqual(4);
    expect(open.lineItemCount).toBe(2 * open.entryCount);
    await done(book, 'close-period', { period: '2026-03' });
    expect((await book.query(counted)).summary).toEqual(open);
    await done(book, 'reopen-period', { period: '2026-03', reason: 'A bill was missing.' });
    expect((await book.query(counted)).summary).toEqual(open);
  });

  it('takes the counts of closed months from their receipts and reads no rows of them (ledger L-198)', async () => {
    const book = await openBooks(user);
    clock.set('2026-05-01T12:00:00Z');
    for (const day of ['2026-03-05', '2026-03-06', '2026-04-07', '2026-04-08', '2026-05-01'])
      await recorded(book, entry(book, day, legs));
    expect(await rowsRead(book, 'ledger_line_item')).toBe(10);
    for (const period of ['2026-03', '2026-04']) await done(book, 'close-period', { period });
    expect(await rowsRead(book, 'ledger_line_item')).toBe(2);
    expect((await book.query(counted)).summary).toMatchObject({ entryCount: 5, lineItemCount: 10 });
  });
});
