import { plusDays } from '@pacioli/core/calendar';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { vestedQuantity } from './vested-quantity.ts';

const vesting = { start_date: '2024-01-15', cliff_months: 12, total_months: 48, interval: 'monthly' };
const grant = { shares_underlying: 4_800, vesting };

describe('vestedQuantity', () => {
  it.each([
    ['2024-01-14', 0n],
    ['2025-01-14', 0n],
    ['2025-01-15', 1_200n],
    ['2025-03-14', 1_300n],
    ['2025-03-15', 1_400n],
    ['2028-01-14', 4_700n],
    ['2028-01-15', 4_800n],
    ['2040-01-01', 4_800n],
  ])('is the part that has vested by %s: %s of 4,800 (investor 4)', (asOf, expected) => {
    expect(vestedQuantity(grant, asOf)).toBe(expected);
    expect(vestedQuantity({ units_granted: 4_800, vesting }, asOf)).toBe(expected);
  });

  it('counts whole intervals only (investor 4)', () => {
    const at = (interval: string, asOf: string) =>
      vestedQuantity({ ...grant, vesting: { ...vesting, interval } }, asOf);
    expect(at('quarterly', '2025-04-14')).toBe(1_200n);
    expect(at('quarterly', '2025-04-15')).toBe(1_500n);
    expect(at('annually', '2026-01-14')).toBe(1_200n);
    expect(at('annually', '2026-01-15')).toBe(2_400n);
    expect(at('immediate', '2025-01-14')).toBe(0n);
    expect(at('immediate', '2025-01-15')).toBe(4_800n);
  });

  it('ends a month on its last day when it does not have the day of the start (investor 4)', () => {
    const short = { units_granted: 12, vesting: { start_date: '2023-12-31', total_months: 12 } };
    expect(vestedQuantity(short, '2024-02-28')).toBe(1n);
    expect(vestedQuantity(short, '2024-02-29')).toBe(2n);
  });

  it('starts at the grant date without a start of its own, and is undefined without what it is computed from (investor 4)', () => {
    const { start_date: _start, ...rest } = vesting;
    expect(vestedQuantity({ ...grant, grant_date: '2024-01-15', vesting: rest }, '2025-01-15')).toBe(1_200n);
    expect(vestedQuantity({ ...grant, vesting: rest }, '2025-01-15')).toBeUndefined();
    expect(vestedQuantity({ vesting }, '2025-01-15')).toBeUndefined();
    expect(vestedQuantity({ ...grant, vesting: 'Four years' }, '2025-01-15')).toBeUndefined();
    expect(vestedQuantity({ ...grant, vesting: { start_date: '2024-01-15' } }, '2025-01-15')).toBeUndefined();
  });

  it('never falls, stays within the grant and within one unit of the exact part, and ends with all of it (investor 4)', () => {
    const schedules = fc.record({
      total: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
      months: fc.integer({ min: 1, max: 120 }),
      cliff: fc.integer({ min: 0, max: 120 }),
      interval: fc.constantFrom('monthly', 'quarterly', 'annually', 'immediate'),
      day: fc.integer({ min: 0, max: 5_000 }),
      later: fc.integer({ min: 0, max: 500 }),
    });
    fc.assert(
      fc.property(schedules, ({ total, months, cliff, interval, day, later }) => {
        const startDate = '2020-01-31';
        const dated = { start_date: startDate, cliff_months: Math.min(cliff, months), total_months: months, interval };
        const terms = { shares_underlying: total, vesting: dated };
        const [first, second] = [day, day + later].map(
          (days) => vestedQuantity(terms, plusDays(startDate, days)) ?? -1n,
        );
        expect(first).toBeGreaterThanOrEqual(0n);
        expect(second).toBeGreaterThanOrEqual(first ?? 0n);
        expect(second).toBeLessThanOrEqual(BigInt(total));
        expect(vestedQuantity(terms, plusDays(startDate, 31 * months))).toBe(BigInt(total));
      }),
    );
  });
});
