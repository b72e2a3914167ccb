import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCurrency, majorUnits, minorDigits } from '../values/money.ts';
import { type Line, netByAccount, problemOfLines, reversed, totals } from './lines.ts';

function line(debit: number, credit: number, elementId = 'elem_1'): Line {
  return { elementId, debit: BigInt(debit), credit: BigInt(credit), description: null, metadata: null };
}

const amounts = fc.bigInt({ min: 1n, max: 10n ** 12n });
const balanced = fc.array(amounts, { minLength: 1, maxLength: 8 }).map((debits): readonly Line[] => [
  ...debits.map((debit) => ({ elementId: 'elem_a', debit, credit: 0n, description: null, metadata: null })),
  {
    elementId: 'elem_b',
    debit: 0n,
    credit: debits.reduce((sum, debit) => sum + debit, 0n),
    description: 'all of it',
    metadata: null,
  },
]);

describe('the lines of an entry', () => {
  it('must each have an account and exactly one positive amount (ledger L-45)', () => {
    expect(problemOfLines([line(1, 0), line(0, 1, '')])).toBe('Line item 1: missing element_id');
    expect(problemOfLines([line(-1, 0), line(0, 1)])).toBe('Line item 0: amounts must be non-negative');
    expect(problemOfLines([line(1, 0), line(0, 0)])).toBe('Line item 1: must have a non-zero debit or credit amount');
    expect(problemOfLines([line(1, 1), line(0, 1)])).toBe('Line item 0: cannot have both debit and credit amounts');
  });

  it('must be at least two (ledger L-46)', () => {
    expect(problemOfLines([])).toContain('at least 2');
    expect(problemOfLines([line(1, 0)])).toContain('at least 2');
  });

  it('must balance without tolerance (ledger L-46)', () => {
    expect(problemOfLines([line(100, 0), line(0, 99)])).toBe(
      'Journal entry does not balance: total_debit=100 total_credit=99 (difference=1)',
    );
    fc.assert(fc.property(balanced, (lines) => void expect(problemOfLines(lines)).toBeUndefined()));
    fc.assert(
      fc.property(balanced, amounts, (lines, extra) => {
        const [first, ...rest] = lines;
        if (first === undefined) return;
        expect(problemOfLines([{ ...first, debit: first.debit + extra }, ...rest])).toContain('does not balance');
      }),
    );
  });

  it('are offset by their reversal and restored by the reversal of the reversal (ledger L-60, L-63)', () => {
    fc.assert(
      fc.property(balanced, (lines) => {
        const undone = reversed(lines);
        expect(problemOfLines(undone)).toBeUndefined();
        expect(totals([...lines, ...undone]).debit).toBe(totals([...lines, ...undone]).credit);
        expect(reversed(undone).map(({ debit, credit }) => [debit, credit])).toEqual(
          lines.map(({ debit, credit }) => [debit, credit]),
        );
      }),
    );
  });
});

describe('netByAccount', () => {
  it('nets debits less credits of each account, also over several lines (ledger L-38)', () => {
    const lines = [line(30, 0, 'elem_1'), line(0, 50, 'elem_1'), line(20, 0, 'elem_2')];
    expect([...netByAccount(lines)]).toEqual([
      ['elem_1', -20n],
      ['elem_2', 20n],
    ]);
  });
});

describe('money in minor units', () => {
  it('converts to the double that is nearest to the exact decimal (ledger L-3)', () => {
    expect(majorUnits(30n, 'USD')).toBe(0.3);
    expect(majorUnits(-5n, 'USD')).toBe(-0.05);
    expect(majorUnits(3_000_000_000n, 'USD')).toBe(30_000_000);
    expect(majorUnits(1234n, 'JPY')).toBe(1234);
    expect(majorUnits(1234n, 'KWD')).toBe(1.234);
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
        (minor) => void expect(majorUnits(minor, 'USD').toFixed(2)).toBe((Number(minor) / 100).toFixed(2)),
      ),
    );
  });

  it('has the ISO 4217 currencies and their numbers of digits (ledger L-3, L-5)', () => {
    expect([isCurrency('USD'), isCurrency('usd'), isCurrency('ZZZ')]).toEqual([true, false, false]);
    expect([minorDigits('USD'), minorDigits('JPY'), minorDigits('KWD')]).toEqual([2, 0, 3]);
  });
});
