import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DayCount, yearFraction } from './day-count.ts';

const dates = fc
  .date({ min: new Date('1990-01-01T00:00:00Z'), max: new Date('2090-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

describe('yearFraction', () => {
  it.each<[DayCount, string, string, number, number]>([
    ['ACT/365F', '2026-01-01', '2026-07-01', 181, 365],
    ['ACT/360', '2026-01-01', '2026-07-01', 181, 360],
    ['30/360', '2026-01-15', '2026-07-31', 196, 360],
    ['30/360', '2026-01-31', '2026-07-31', 180, 360],
    ['30E/360', '2026-01-15', '2026-07-31', 195, 360],
    ['30/360', '2024-02-29', '2025-02-28', 359, 360],
    ['ACT/ACT', '2023-07-01', '2024-07-01', 184 * 366 + 182 * 365, 365 * 366],
    ['ACT/ACT', '2024-01-01', '2027-01-01', 3, 1],
  ])('%s from %s to %s is %d/%d of a year (investor 4)', (dayCount, from, to, numerator, denominator) => {
    const found = yearFraction(dayCount, from, to);
    expect(found.numerator * BigInt(denominator)).toBe(BigInt(numerator) * found.denominator);
  });

  it('ACT/ACT adds up over any day between, and counts whole calendar years as whole (investor 4)', () => {
    fc.assert(
      fc.property(fc.tuple(dates, dates, dates), (any) => {
        const [from = '', middle = '', to = ''] = [...any].sort();
        const [first, second, whole] = [
          yearFraction('ACT/ACT', from, middle),
          yearFraction('ACT/ACT', middle, to),
          yearFraction('ACT/ACT', from, to),
        ];
        const sum = first.numerator * second.denominator + second.numerator * first.denominator;
        expect(sum * whole.denominator).toBe(whole.numerator * first.denominator * second.denominator);
      }),
    );
  });
});
