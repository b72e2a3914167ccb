import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fiscalYearStartOf, fullBalances } from './full-balance.ts';

interface Posted {
  readonly month: number;
  readonly from: string;
  readonly to: string;
  readonly cents: bigint;
}

const accounts = ['cash', 'payable', 'capital', 'retained', 'sales', 'rent'] as const;
const temporary: ReadonlySet<string> = new Set(['sales', 'rent']);

const posted: fc.Arbitrary<Posted> = fc.record({
  month: fc.integer({ min: 0, max: 35 }),
  from: fc.constantFrom(...accounts),
  to: fc.constantFrom(...accounts),
  cents: fc.bigInt({ min: 1n, max: 10n ** 15n }),
});

/** Sums of the chosen months, as the store returns them. */
function sumsOf(postings: readonly Posted[], isChosen: (month: number) => boolean) {
  const sums = new Map<string, { debit: bigint; credit: bigint }>();
  const of = (id: string) => {
    const sum = sums.get(id) ?? { debit: 0n, credit: 0n };
    sums.set(id, sum);
    return sum;
  };
  for (const { month, from, to, cents } of postings) {
    if (!isChosen(month)) continue;
    of(from).credit += cents;
    of(to).debit += cents;
  }
  return [...sums].map(([accountId, sum]) => ({ accountId, ...sum }));
}

const total = (values: readonly bigint[]) => values.reduce((sum, value) => sum + value, 0n);

describe('a trial balance with openings', () => {
  it('opens and closes at zero in total, and closes each account at its opening plus movements (ledger L-41)', () => {
    fc.assert(
      fc.property(
        fc.array(posted, { maxLength: 60 }),
        fc.integer({ min: 0, max: 35 }),
        fc.integer({ min: 0, max: 12 }),
        fc.constantFrom('retained', null),
        (postings, first, length, retainedId) => {
          const yearStart = first - (first % 12);
          const rows = fullBalances({
            before: sumsOf(postings, (month) => month < first),
            yearToDate: sumsOf(postings, (month) => month >= yearStart && month < first),
            within: sumsOf(postings, (month) => month >= first && month <= first + length),
            isTemporary: (id) => temporary.has(id),
            retainedId,
          });
          expect(total(rows.map(({ opening }) => opening))).toBe(0n);
          expect(total(rows.map(({ closing }) => closing))).toBe(0n);
          for (const { opening, debit, credit, closing } of rows) expect(opening + debit - credit).toBe(closing);
          // Permanent accounts close at the sum of all postings up to the end.
          const all = new Map(sumsOf(postings, (month) => month <= first + length).map((sum) => [sum.accountId, sum]));
          for (const id of ['cash', 'payable', 'capital']) {
            const { debit, credit } = all.get(id) ?? { debit: 0n, credit: 0n };
            expect(rows.find(({ accountId }) => accountId === id)?.closing ?? 0n).toBe(debit - credit);
          }
          const yearToDate = new Map(sumsOf(postings, (m) => m >= yearStart && m < first).map((s) => [s.accountId, s]));
          for (const id of temporary) {
            const { debit, credit } = yearToDate.get(id) ?? { debit: 0n, credit: 0n };
            expect(rows.find(({ accountId }) => accountId === id)?.opening ?? 0n).toBe(debit - credit);
          }
        },
      ),
    );
  });

  it('finds the fiscal year of a day, whatever month fiscal years begin with (ledger L-145)', () => {
    expect(fiscalYearStartOf('2026-03-15', 1)).toBe('2026-01-01');
    expect(fiscalYearStartOf('2026-03-15', 4)).toBe('2025-04-01');
    expect(fiscalYearStartOf('2026-04-01', 4)).toBe('2026-04-01');
  });
});
