import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  add,
  divide,
  formatDecimal,
  multiply,
  negate,
  parseDecimal,
  plain,
  quantize,
  toMinorUnits,
} from './decimal.ts';

describe('decimals', () => {
  it.each([
    ['0.125', 12n],
    ['0.135', 14n],
    ['0.145', 14n],
    ['0.005', 0n],
    ['0.015', 2n],
    ['0.0050000000000000000001', 1n],
    ['99999999999999999999.995', 10000000000000000000000n],
  ])('round %s half-even to the cent', (text, cents) => {
    expect(toMinorUnits(parseDecimal(text), 2)).toBe(cents);
    expect(toMinorUnits(negate(parseDecimal(text)), 2)).toBe(-cents);
  });

  it('keep the fractional digits with which they were written', () => {
    expect(formatDecimal(add(parseDecimal('1.10'), parseDecimal('2')))).toBe('3.10');
    expect(multiply(parseDecimal('1.10'), parseDecimal('2.0')).scale).toBe(3);
    expect(formatDecimal(divide(parseDecimal('1.00'), parseDecimal('4')))).toBe('0.25');
    expect(formatDecimal(quantize(parseDecimal('2.345'), 2))).toBe('2.34');
  });

  it('round quotients half-even to 28 significant digits', () => {
    expect(plain(divide(parseDecimal('2'), parseDecimal('3')))).toBe('0.6666666666666666666666666667');
    expect(plain(divide(parseDecimal('20000'), parseDecimal('3')))).toBe('6666.666666666666666666666667');
  });

  it('agree with integer arithmetic on amounts in cents', () => {
    const cents = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });
    const text = (value: bigint): string => {
      const digits = (value < 0n ? -value : value).toString().padStart(3, '0');
      return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
    };
    const decimal = (value: bigint) => (value < 0n ? negate(parseDecimal(text(value))) : parseDecimal(text(value)));
    fc.assert(
      fc.property(cents, cents, (left, right) => {
        expect(toMinorUnits(add(decimal(left), decimal(right)), 2)).toBe(left + right);
      }),
    );
  });
});
