/** @module-tag sessions */
import { describe, expect, it } from 'vitest';
import { entryFlows } from '../src/index.ts';
import { type Books, done, entry, type Leg, openBooks } from './books.ts';
import { recorded } from './close-books.ts';
import { service, useCloseBooks, user } from './close-fixture.ts';
import { inTransaction } from './log-books.ts';

useCloseBooks();

const flows = () => service.service.services.resolve(entryFlows);

const post = (book: Books, date: string, legs: readonly Leg[], more: object = {}) =>
  recorded(book, entry(book, date, legs, more));

const inJanuary = { start: '2026-01-01', end: '2026-01-31' };

/** The entries of January, or of other ranges, each as its accounts with their flows and tags. */
async function january(book: Books, codes: readonly string[], tags: readonly string[], ranges = [inJanuary]) {
  return inTransaction(book, async (tx) => {
    const filter = { ranges, currency: 'USD', accountIds: codes.map(book.id), flowElementIds: tags };
    const found = [];
    for await (const each of flows().entries(tx, filter)) {
      const codeOf = (id: string) =>
        ['1000', '1500', '3000', '4000', '6100'].find((code) => book.id(code) === id) ?? id;
      found.push(
        each.flows
          .map(({ accountId, flow, flowElementId }) => [codeOf(accountId), Number(flow), flowElementId] as const)
          .toSorted(([a, x], [b, y]) => (a === b ? x - y : a < b ? -1 : 1)),
      );
    }
    return found;
  });
}

describe('EntryFlows', () => {
  it('reads whole entries that touch an account or name a line, by account and name (reporting S-13)', async () => {
    const book = await openBooks(user, 'llc', { earliest_data_period: '2025-12' });
    await post(book, '2026-01-05', [
      ['1500', 400, 0],
      ['1500', 300, 0],
      ['1000', 0, 700],
    ]);
    await post(book, '2026-01-06', [
      ['1000', 900, 0],
      ['4000', 0, 900],
    ]);
    const named = entry(book, '2026-01-07', []) as { metadata: object };
    const line = (code: string, debit: number, credit: number, tag?: string) => ({
      element_id: book.id(code),
      debit_amount: debit,
      credit_amount: credit,
      ...(tag === undefined ? {} : { metadata: { flow_element_id: tag } }),
    });
    const lines = [line('6100', 80, 0), line('1000', 0, 50, 'elem_a'), line('1000', 0, 30)];
    await recorded(book, { ...named, metadata: { ...named.metadata, line_items: lines } });
    // Not in the month, not posted, and not in the currency of the books.
    const purchase: readonly Leg[] = [
      ['1500', 10, 0],
      ['1000', 0, 10],
    ];
    await post(book, '2025-12-31', purchase);
    await post(book, '2026-02-01', purchase);
    const draft = entry(book, '2026-01-08', purchase) as { metadata: object };
    await recorded(book, { ...draft, metadata: { ...draft.metadata, status: 'draft' } });
    await post(book, '2026-01-09', purchase, { currency: 'EUR' });

    const bought = [
      ['1000', 700, null],
      ['1500', -700, null],
    ];
    const tagged = [
      ['1000', 30, null],
      ['1000', 50, 'elem_a'],
      ['6100', -80, null],
    ];
    expect(await january(book, ['1500'], [])).toEqual([bought]);
    expect(await january(book, [], ['elem_a', 'elem_b'])).toEqual([tagged]);
    expect(await january(book, [], ['elem_b'])).toEqual([]);
    expect(new Set(await january(book, ['1500'], ['elem_a']))).toEqual(new Set([bought, tagged]));
    expect(await january(book, [], [])).toEqual([]);
    const others = ['2025-12-31', '2026-02-01'].map((day) => ({ start: day, end: day }));
    expect(await january(book, ['1500'], ['elem_a'], others)).toHaveLength(2);
    expect(await january(book, ['1500'], ['elem_a'], [...others, inJanuary])).toHaveLength(4);
    expect(await january(book, ['1500'], ['elem_a'], [])).toEqual([]);
  });

  it('refuses more ranges than it reads at once, and names the day of each entry', async () => {
    const book = await openBooks(user, 'llc', { earliest_data_period: '2025-12' });
    await post(book, '2026-01-05', [
      ['1500', 400, 0],
      ['1000', 0, 400],
    ]);
    const read = (ranges: readonly (typeof inJanuary)[]) =>
      inTransaction(book, async (tx) => {
        const filter = { ranges, currency: 'USD', accountIds: [book.id('1500')], flowElementIds: [] };
        const days = [];
        for await (const each of flows().entries(tx, filter)) days.push(each.postingDate);
        return days;
      });
    const days = Array.from({ length: 101 }, (_each, at) => {
      const day = new Date(Date.UTC(2026, 0, at + 1)).toISOString().slice(0, 10);
      return { start: day, end: day };
    });
    expect(await read(days.slice(0, 100))).toEqual(['2026-01-05']);
    await expect(read(days)).rejects.toThrow('At most 100 ranges');
  });

  it('finds the entries that close accounts to equity, also after months were closed (reporting S-2a)', async () => {
    const book = await openBooks(user, 'llc', { earliest_data_period: '2025-12' });
    const sale: readonly Leg[] = [
      ['1000', 500, 0],
      ['4000', 0, 500],
    ];
    await post(book, '2025-12-10', sale);
    await done(book, 'close-period', { period: '2025-12' });
    await post(book, '2026-01-10', sale);
    // It closes one month of two, so the account keeps a balance.
    await post(book, '2026-01-30', [
      ['4000', 500, 0],
      ['3000', 0, 500],
    ]);
    const closing = await inTransaction(book, (tx) => {
      const accounts = { flowIds: [book.id('4000')], equityIds: [book.id('3000')], summaryIds: [book.id('3100')] };
      return flows().clearing(tx, { start: '2026-01-01', end: '2026-03-31' }, 'USD', accounts);
    });
    expect(closing).toEqual({ cleared: [], unfinishedDays: ['2026-01-30'] });
    // The rest goes to an income summary first, and then to equity.
    await post(book, '2026-02-28', [
      ['4000', 500, 0],
      ['3100', 0, 500],
    ]);
    await post(book, '2026-02-28', [
      ['3100', 500, 0],
      ['3000', 0, 500],
    ]);
    // Cash is on neither side.
    await post(book, '2026-03-01', [
      ['1000', 700, 0],
      ['3000', 0, 700],
    ]);
    const found = await inTransaction(book, (tx) => {
      const accounts = { flowIds: [book.id('4000')], equityIds: [book.id('3000')], summaryIds: [book.id('3100')] };
      return flows().clearing(tx, { start: '2026-02-01', end: '2026-03-31' }, 'USD', accounts);
    });
    expect(found.unfinishedDays).toEqual([]);
    const sums = found.cleared.map(({ postingDate, accountId, flow }) => [postingDate, accountId, flow]);
    expect(new Set(sums.map(String))).toEqual(
      new Set(
        [
          ['2026-02-28', book.id('4000'), -500n],
          ['2026-02-28', book.id('3100'), 500n],
          ['2026-02-28', book.id('3100'), -500n],
          ['2026-02-28', book.id('3000'), 500n],
        ].map(String),
      ),
    );
    expect(new Set(found.cleared.map(({ entryId }) => entryId)).size).toBe(2);
  });
});
