import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dollarsOf, quantityText } from '../values/index.ts';
import { convertedCents } from './exchange-rates.ts';
import { totalsOf } from './totals.ts';

const amount = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const position = fc.record({
  currency: fc.constantFrom('USD', 'EUR', 'JPY'),
  cost_basis: amount,
  current_value: fc.option(amount),
});

describe('totals', () => {
  it('are the sums of the totals of any partition (I-7, R-11 to R-13)', () => {
    fc.assert(
      fc.property(fc.array(position), fc.array(position), (one, other) => {
        const rule = { currency: 'USD', rates: new Map([['EUR', '2']]) };
        const [first, second, whole] = [one, other, [...one, ...other]].map((each) => totalsOf(each, rule));
        expect(whole?.costBasis).toBe((first?.costBasis ?? 0n) + (second?.costBasis ?? 0n));
        const isMarked = first?.currentValue != null || second?.currentValue != null;
        expect(whole?.currentValue).toBe(isMarked ? (first?.currentValue ?? 0n) + (second?.currentValue ?? 0n) : null);
        expect(whole?.omitted.reduce((sum, { count }) => sum + count, 0)).toBe(
          [...one, ...other].filter(({ currency }) => currency === 'JPY').length,
        );
      }),
    );
  });

  it('convert exactly and round half to even (R-13)', () => {
    expect(['0.5', '1.5', '2.5', '0.49', '0.51'].map((rate) => convertedCents(1n, rate))).toEqual([0n, 2n, 2n, 0n, 1n]);
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 1, max: 10_000 }), (cents, rate) => {
        const text = `${Math.floor(rate / 100)}.${String(rate % 100).padStart(2, '0')}`;
        const error = convertedCents(cents, text) * 100n - cents * BigInt(rate);
        expect(error <= 50n && error >= -50n).toBe(true);
      }),
    );
  });
});

describe('amounts and quantities', () => {
  it('are the doubles nearest to the exact decimals (I-7)', () => {
    fc.assert(
      fc.property(amount, (cents) => {
        expect(dollarsOf(cents)).toBe(cents / 100);
      }),
    );
    expect(dollarsOf(10n ** 19n + 1n)).toBe(Number('100000000000000000.01'));
  });

  it('keep the number that the caller sent (I-9)', () => {
    expect([0.1, 1e-7, 123_456.789, 0, 1e19].map((each) => quantityText(each, 'quantity'))).toEqual([
      '0.1',
      '0.000000100000000000',
      '123456.789',
      '0',
      '10000000000000000000',
    ]);
    for (const wrong of [-1, 1e20, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => quantityText(wrong, 'quantity')).toThrow('from 0 to below 10^20');
    expect(quantityText(1e-18, 'quantity')).toBe('0.000000000000000001');
    for (const wrong of [4e-19, 1.5e-18, 0.0000012345678901234567])
      expect(() => quantityText(wrong, 'quantity')).toThrow('at most 18 decimals');
  });
});
