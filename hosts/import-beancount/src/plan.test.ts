import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJournal } from './load-journal.ts';
import { type PlannedEntry, planImport } from './plan.ts';

function plan(text: string, currency?: string): ReturnType<typeof planImport> {
  return planImport(readJournal('t.beancount', text), { currency });
}

function legsOf(entry: PlannedEntry | undefined): string[] {
  return (entry?.legs ?? []).map((leg) => `${leg.account} ${leg.amountMinor}`);
}

describe('plan', () => {
  it('includes legs in the currency, or with cost or price in it, rounded half-even to the cent', () => {
    const { entries } = plan(
      [
        '2020-01-01 *',
        '  Assets:Shares  3 ABC {1.125 USD}',
        '  Assets:Euro    2 EUR @ 1.1025 USD',
        '  Assets:Bank   -5.58 USD',
      ].join('\n'),
    );
    // 3.375 and 2.205 are halves; the even cents are 3.38 and 2.20.
    expect(legsOf(entries[0])).toEqual(['Assets:Shares 338', 'Assets:Euro 220', 'Assets:Bank -558']);
  });

  it('books the remainder of a transaction on the rounding account, and does not count it as a posting', () => {
    const { entries, accounts } = plan(
      '2020-01-01 *\n  Assets:A  0.004 USD\n  Assets:B  0.004 USD\n  Assets:C  -0.008 USD',
    );
    expect(legsOf(entries[0])).toEqual(['Assets:C -1', 'Equity:Rounding 1']);
    expect(entries[0]?.legs.map((leg) => leg.is_rounding)).toEqual([false, true]);
    expect(accounts).toContainEqual({ name: 'Equity:Rounding', trait: 'equity' });
  });

  it('does not use a rounding account of the journal itself', () => {
    const own = '2020-01-01 *\n  Equity:Rounding  1.00 USD\n  Assets:A  -1.00 USD\n';
    const { entries } = plan(
      `${own}2020-01-02 *\n  Assets:A  0.006 USD\n  Assets:B  0.006 USD\n  Assets:C  -0.012 USD`,
    );
    expect(legsOf(entries[1]).at(-1)).toBe('Equity:Rounding:Import -1');
  });

  it('counts skipped postings and transactions by reason', () => {
    const { entries, skipped, refused } = plan(
      [
        '2020-01-01 *\n  Assets:A  1.00 USD\n  Assets:B  -1.00 USD\n  Assets:H  8 HRS\n  Income:H  -8 HRS',
        '2020-01-02 *\n  Assets:H  8 HRS\n  Income:H  -8 HRS',
        '2020-01-03 *\n  Assets:A  -2.00 USD @ 0.50 EUR\n  Assets:E  1.00 EUR',
        '2020-01-04 *\n  Assets:A  0.00 USD\n  Assets:B  1.00 USD\n  Assets:C',
        '2020-01-05 *\n  Assets:A  1.00 USD',
        '2020-01-06 *\n  Assets:A  -1 ABC {}\n  Assets:B',
        '2020-01-07 *\n  Assets:A  99999999999999999 USD\n  Assets:B',
      ].join('\n'),
    );
    expect(entries).toHaveLength(2);
    expect(skipped).toEqual({
      other_unit: 5,
      priced_in_other_unit: 1,
      zero_amount: 1,
      no_legs_left: 2,
      unbalanced: 1,
      not_booked: 1,
      too_large: 1,
    });
    expect(refused.map((problem) => problem.line)).toEqual([16, 19]);
  });

  it('uses the operating currency of the journal unless another is requested', () => {
    const option = 'option "operating_currency" "EUR"\n';
    const moved = (day: string, currency: string): string => `${day} *\n  Assets:A  1 ${currency}\n  Assets:B\n`;
    const text = option + moved('2020-01-01', 'EUR') + moved('2020-01-02', 'USD');
    expect(plan(text)).toMatchObject({ currency: 'EUR', entries: [{ date: '2020-01-01' }] });
    expect(plan(text, 'USD')).toMatchObject({ currency: 'USD', entries: [{ date: '2020-01-02' }] });
    expect(plan('').currency).toBe('USD');
  });

  it('derives the trait of every account from the root names of the journal', () => {
    const text = [
      'option "name_income" "Revenue"',
      '2020-01-01 open Assets:A',
      '2020-01-01 open Liabilities:L USD,EUR',
      '2020-01-01 open Equity:E',
      '2020-01-01 open Revenue:R',
      '2020-01-01 open Expenses:X',
      '2020-01-01 open Assets:Hours HRS',
    ].join('\n');
    expect(plan(text).accounts).toEqual([
      { name: 'Assets:A', trait: 'asset' },
      { name: 'Equity:E', trait: 'equity' },
      { name: 'Expenses:X', trait: 'expense' },
      { name: 'Liabilities:L', trait: 'liability' },
      { name: 'Revenue:R', trait: 'revenue' },
    ]);
  });

  it('rejects an account under none of the root names', () => {
    expect(() => plan('2020-01-01 open Things:A')).toThrow(
      't.beancount:1: account Things:A must begin with one of Assets, Liabilities, Equity, Income, Expenses',
    );
  });

  it('warns about plugins, which it does not run', () => {
    expect(plan('plugin "beancount.plugins.split_expenses" "A B"').warnings[0]?.message).toContain('is not run');
  });
});

const legs = fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 }), { minLength: 1, maxLength: 6 });
const narration = fc.constantFrom('coffee', 'tea', '');

/** Formats thousandths: 1234 is 1.234. */
function thousandths(value: number): string {
  const digits = Math.abs(value).toString().padStart(4, '0');
  return `${value < 0 ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}`;
}

function journalOf(transactions: readonly (readonly [string, readonly number[]])[]): string {
  return transactions
    .map(([text, amounts]) => {
      const sum = amounts.reduce((total, amount) => total + amount, 0);
      const lines = [...amounts, -sum].map((amount, index) => `  Assets:A${index}  ${thousandths(amount)} USD`);
      return `2020-01-01 * "${text}"\n${lines.join('\n')}`;
    })
    .join('\n');
}

describe('invariants of a plan', () => {
  const journals = fc.array(fc.tuple(narration, legs), { maxLength: 12 }).map(journalOf);

  it('balances every entry exactly, with at least two lines, none of them zero', () => {
    fc.assert(
      fc.property(journals, (text) => {
        for (const entry of plan(text).entries) {
          expect(entry.legs.reduce((sum, leg) => sum + leg.amountMinor, 0n)).toBe(0n);
          expect(entry.legs.length).toBeGreaterThanOrEqual(2);
          expect(entry.legs.every((leg) => leg.amountMinor !== 0n)).toBe(true);
        }
      }),
    );
  });

  it('gives every entry an external id that is unique in a journal and the same in the next run (ledger L-83)', () => {
    fc.assert(
      fc.property(journals, (text) => {
        const ids = plan(text).entries.map((entry) => entry.external_id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(plan(text).entries.map((entry) => entry.external_id)).toEqual(ids);
      }),
    );
  });

  it('derives external ids independently of other transactions in the journal', () => {
    const one = '2020-01-02 * "one"\n  Assets:A  1 USD\n  Assets:B\n';
    const other = '2020-01-01 * "other"\n  Assets:A  2 USD\n  Assets:B\n';
    const [alone] = plan(one).entries;
    expect(plan(`; more\n${other}${one}`).entries[1]?.external_id).toBe(alone?.external_id);
  });
});
