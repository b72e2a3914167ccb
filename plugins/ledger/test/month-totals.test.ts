/** @module-tag sessions */
// Goal: sums of lines are the same whether or not totals of closed months are used. Method: generated entries in six
// months of which some are closed, and sums of random ranges next to the sums of the lines themselves.
import { sql, type Transaction } from '@pacioli/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { balances, type DateRange, periodBalances } from '../src/index.ts';
import type { LedgerLineItem, LedgerMonthTotal } from '../src/rows.gen.ts';
import { type Books, done, entry, openBooks } from './books.ts';
import { recorded } from './close-books.ts';
import { clock, service, useCloseBooks, user } from './close-fixture.ts';
import { lawRuns, maxLawMs } from './law-runs.ts';
import { inGraph, inTransaction, tamper, verify } from './log-books.ts';
import { interfereWith } from './statement-hook.ts';

useCloseBooks();

const months = ['2025-10', '2025-11', '2025-12', '2026-01', '2026-02', '2026-03'] as const;
const accounts = ['1000', '3000', '4000', '6100'] as const;

interface Posting {
  readonly date: string;
  readonly cents: number;
  readonly from: string;
  readonly to: string;
  readonly currency: 'USD' | 'EUR';
}

const date = fc
  .tuple(fc.constantFrom(...months), fc.constantFrom('01', '02', '15', '27', '28'))
  .map((parts) => parts.join('-'));
const posting: fc.Arbitrary<Posting> = fc.record({
  date,
  cents: fc.integer({ min: 1, max: 100_000 }),
  from: fc.constantFrom('1000', '6100'),
  to: fc.constantFrom('3000', '4000'),
  currency: fc.constantFrom('USD', 'USD', 'USD', 'EUR'),
});
/** Posts, closes the next month, or reopens the last closed one. */
const step: fc.Arbitrary<Posting | 'close' | 'reopen'> = fc.oneof(
  { weight: 3, arbitrary: posting },
  { weight: 2, arbitrary: fc.constant('close' as const) },
  { weight: 1, arbitrary: fc.constant('reopen' as const) },
);
const day = fc.oneof(date, fc.constantFrom(null, '2025-10-31', '2025-12-31', '2026-02-28', '2026-03-31', '2025-09-30'));
const range: fc.Arbitrary<DateRange> = fc.record({ start: day, end: day });
const noRanges: readonly DateRange[] = [
  { start: '2025-12-01', end: '2025-11-30' },
  { start: '2026-03-31', end: '2025-10-01' },
  { start: null, end: '9999-12-31' },
];

const bodyOf = (book: Books, { date: postingDate, cents, from, to, currency }: Posting): object =>
  entry(
    book,
    postingDate,
    [
      [from, cents, 0],
      [to, 0, cents],
    ],
    { currency },
  );
const post = (book: Books, each: Posting) => recorded(book, bodyOf(book, each));

const openAt = async (): Promise<Books> => {
  const book = await openBooks(user, 'llc', { earliest_data_period: months[0] });
  // The currency of the books is that of the first posted entry.
  await post(book, { date: '2025-10-01', cents: 1, from: '1000', to: '3000', currency: 'USD' });
  return book;
};

const close = (book: Books, period: string) => done(book, 'close-period', { period });
const reopen = (book: Books, period: string) => done(book, 'reopen-period', { period, reason: 'A bill came late' });

const periodsKept = async (book: Books): Promise<readonly string[]> => {
  const rows = await inGraph(
    book,
    sql<Pick<LedgerMonthTotal, 'period'>>`SELECT DISTINCT period FROM ledger_month_total ORDER BY period`,
  );
  return rows.map(({ period }) => period);
};

type SummedLines = Pick<LedgerLineItem, 'currency'> & {
  readonly id: LedgerLineItem['element_id'];
  readonly debit: string;
  readonly credit: string;
  readonly lines: number;
};

/** The sums of the ranges from the lines alone, in the form of `Balances.inRanges`. */
async function summedLines(tx: Transaction, ranges: readonly DateRange[]) {
  const columns = [];
  for (const { start, end } of ranges) {
    const rows = await tx.query(sql<SummedLines>`
      SELECT element_id AS id, currency, sum(debit_amount) AS debit, sum(credit_amount) AS credit, count(*) AS lines
      FROM ledger_line_item WHERE is_landed AND posting_date BETWEEN coalesce(${start}::date, '-infinity') AND coalesce(${end}::date, 'infinity')
      GROUP BY element_id, currency ORDER BY element_id`);
    const foreign = rows.filter(({ currency }) => currency !== 'USD').reduce((sum, { lines }) => sum + lines, 0);
    columns.push({
      sums: rows
        .filter(({ currency }) => currency === 'USD')
        .map(({ id, debit, credit }) => ({ accountId: id, debit: BigInt(debit), credit: BigInt(credit) })),
      foreign: foreign === 0 ? [] : [{ currency: 'EUR', lines: foreign }],
    });
  }
  return columns;
}

const sorted = ({ sums, foreign }: { sums: readonly { accountId: string }[]; foreign: readonly object[] }) => ({
  sums: sums.toSorted((left, right) => (left.accountId < right.accountId ? -1 : 1)),
  foreign,
});

async function expectSums(book: Books, ranges: readonly DateRange[]): Promise<void> {
  await service.store.transaction({ graphId: book.graph }, async (tx) => {
    const stored = service.service.services.resolve(balances);
    const { columns } = await stored.inRanges(tx, ranges);
    const expected = await summedLines(tx, ranges);
    expect(columns.map(sorted)).toEqual(expected);
    for (const each of ranges.slice(0, 3)) {
      const [alone] = (await stored.inRanges(tx, [each])).columns;
      expect(alone && sorted(alone)).toEqual(expected[ranges.indexOf(each)]);
      const ids = [book.id('1000'), book.id('4000')];
      const of = expected[ranges.indexOf(each)]?.foreign ?? [];
      const found = await stored.foreign(tx, accounts.map(book.id), each);
      expect(found).toEqual(of);
      expect((await stored.foreign(tx, ids, each)).every(({ lines }) => lines <= (of[0]?.lines ?? 0))).toBe(true);
    }
  });
}

describe('Balances', () => {
  it('sums any range as the lines do, whatever months are closed and reopened (ledger L-218, L-39)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(posting, { minLength: 4, maxLength: 12 }),
        fc.integer({ min: 1, max: months.length }),
        fc.array(range, { minLength: 6, maxLength: 6 }),
        async (postings, closed, random) => {
          const ranges = [...random, ...noRanges];
          const book = await openAt();
          for (const each of postings) await post(book, each);
          await expectSums(book, ranges);
          for (const period of months.slice(0, closed)) await close(book, period);
          expect(await periodsKept(book)).toEqual(months.slice(0, closed));
          await expectSums(book, ranges);
          await reopen(book, months[closed - 1] ?? '');
          expect(await periodsKept(book)).toEqual(months.slice(0, closed - 1));
          const late = {
            date: `${months[closed - 1]}-28`,
            cents: 77,
            from: '6100',
            to: '4000',
            currency: 'USD',
          } as const;
          await post(book, late);
          await expectSums(book, ranges);
          clock.advance(1_000);
          await close(book, months[closed - 1] ?? '');
          await expectSums(book, ranges);
          expect(await verify(book)).toEqual([]);
        },
      ),
      { numRuns: 4, seed: 20_261_122, endOnFailure: true },
    );
  });

  it('sums any range as the lines do after any sequence of postings, closes and reopens (ledger L-218)', {
    timeout: maxLawMs,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 8, maxLength: 24, size: 'max' }),
        fc.array(range, { minLength: 6, maxLength: 6 }),
        async (steps, random) => {
          const book = await openAt();
          let closed = 0;
          for (const each of steps) {
            clock.advance(1_000);
            if (each === 'close') {
              if (closed === months.length) continue;
              await close(book, months[closed] ?? '');
              closed += 1;
            } else if (each === 'reopen') {
              if (closed === 0) continue;
              closed -= 1;
              await reopen(book, months[closed] ?? '');
            } else {
              const isOpen = each.date.slice(0, 7) > (months[closed - 1] ?? '');
              const answer = await book.operation('create-event-block', bodyOf(book, each));
              expect([answer.status, answer.body.detail]).toEqual(
                isOpen ? [200, undefined] : [422, expect.stringContaining('closed period')],
              );
            }
            expect(await periodsKept(book)).toEqual(months.slice(0, closed));
            await expectSums(book, [...random, ...noRanges]);
          }
          expect(await verify(book)).toEqual([]);
        },
      ),
      lawRuns(12),
    );
  });

  it('sums the lines when a month is reopened while it reads (ledger L-218)', async () => {
    const book = await openAt();
    await close(book, '2025-10');
    const interference = interfereWith(service.store);
    let reopened = 0;
    interference.beforeStatement = async (statement, tx) => {
      if (reopened > 0 || !statement.includes('debit_total')) return;
      reopened += 1;
      await tx.query(sql`UPDATE ledger_fiscal_period SET status = 'closing' WHERE name = '2025-10'`);
    };
    try {
      await expectSums(book, [{ start: null, end: null }]);
    } finally {
      interference.beforeStatement = undefined;
    }
    expect(reopened).toBe(1);
  });
});

describe('PeriodBalances', () => {
  it('asserts the balance of an account without lines with one sum (ledger L-217, L-218)', async () => {
    const book = await openAt();
    await close(book, '2025-10');
    const interference = interfereWith(service.store);
    const sums: string[] = [];
    interference.beforeStatement = async (statement, tx) => {
      if (tx.scope !== 'kernel' && statement.includes('sum(debit)')) sums.push(statement);
    };
    try {
      await inTransaction(book, (tx) =>
        service.service.services
          .resolve(periodBalances)
          .assertBalance(tx, { accountId: book.id('6100'), date: '2025-10-31', amount: 0n }),
      );
    } finally {
      interference.beforeStatement = undefined;
    }
    expect(sums).toHaveLength(1);
  });
});

describe('totals of closed months', () => {
  it('get written again for later closed months when an earlier one closes (ledger L-158, L-218)', async () => {
    const book = await openAt();
    for (const period of months.slice(0, 3)) await close(book, period);
    // As after a backfill, which reopens any month.
    await inGraph(book, sql`UPDATE ledger_fiscal_period SET status = 'closing' WHERE name = '2025-11'`);
    expect(await periodsKept(book)).toEqual(['2025-10']);
    await post(book, { date: '2025-11-28', cents: 77, from: '6100', to: '4000', currency: 'USD' });
    clock.advance(1_000);
    await close(book, '2025-11');
    expect(await periodsKept(book)).toEqual(months.slice(0, 3));
    await expectSums(book, [{ start: null, end: '2025-12-31' }]);
    expect(await verify(book)).toEqual([]);
  });

  it.each([
    ['differ from the lines', 'UPDATE ledger_month_total SET debit_total = debit_total + 1 WHERE graph_id = $graph'],
    ['are missing', 'DELETE FROM ledger_month_total WHERE graph_id = $graph'],
    [
      'belong to a month that is not closed',
      `INSERT INTO ledger_month_total SELECT graph_id, '2025-11', element_id, currency, debit_total, credit_total, line_count
      FROM ledger_month_total WHERE graph_id = $graph`,
    ],
  ])('are reported by the verifier when they %s (ledger L-218)', async (_, statement) => {
    const book = await openAt();
    await close(book, '2025-10');
    expect(await verify(book)).toEqual([]);
    await tamper(book, statement);
    expect(await verify(book)).toEqual([`L-218: 2025-1${statement.startsWith('INSERT') ? 1 : 0}`]);
  });
});
