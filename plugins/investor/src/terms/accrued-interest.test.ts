import { daysBetween, plusDays } from '@pacioli/core/calendar';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accruedInterestCents } from './accrued-interest.ts';

const note = { principal_cents: 5_000_000, interest_rate_bps: 800, issue_date: '2026-01-01', day_count: 'ACT/365F' };

describe('accruedInterestCents', () => {
  it('is principal × rate × part of the year, rounded once (investor 4)', () => {
    expect(accruedInterestCents(note, '2026-07-01')).toBe(198_356n);
    expect(accruedInterestCents({ ...note, day_count: undefined }, '2026-07-01')).toBe(198_356n);
    expect(accruedInterestCents({ ...note, day_count: '30/360' }, '2026-07-01')).toBe(200_000n);
    expect(accruedInterestCents(note, '2026-01-01')).toBe(0n);
    expect(accruedInterestCents(note, '2025-01-01')).toBe(0n);
  });

  it('rounds a half to the even cent (investor 4)', () => {
    const halves = { interest_rate_bps: 5_000, issue_date: '2026-01-01', day_count: '30/360' };
    expect(accruedInterestCents({ ...halves, principal_cents: 1 }, '2027-01-01')).toBe(0n);
    expect(accruedInterestCents({ ...halves, principal_cents: 3 }, '2027-01-01')).toBe(2n);
    expect(accruedInterestCents({ ...halves, principal_cents: 5 }, '2027-01-01')).toBe(2n);
  });

  it('compounds on the anniversaries of the issue (investor 4)', () => {
    const compound = { ...note, interest_type: 'compound', day_count: '30/360' };
    expect(accruedInterestCents(compound, '2027-01-01')).toBe(400_000n);
    expect(accruedInterestCents(compound, '2028-01-01')).toBe(832_000n);
    // 5,400,000 × 1.08 × 1.04 − 5,000,000
    expect(accruedInterestCents(compound, '2028-07-01')).toBe(1_065_280n);
  });

  it('is undefined without a principal, a rate or an issue date of the right type (investor 4)', () => {
    for (const key of ['principal_cents', 'interest_rate_bps', 'issue_date'])
      expect(accruedInterestCents({ ...note, [key]: 'later' }, '2026-07-01')).toBeUndefined();
  });

  it('is the nearest cent to the exact interest, also of amounts beyond the precision of a double (investor 4)', () => {
    const cents = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(cents, fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 0, max: 20_000 }), (p, bps, days) => {
        const terms = { principal_cents: p, interest_rate_bps: bps, issue_date: '2000-01-01' };
        const found = accruedInterestCents(terms, plusDays('2000-01-01', days)) ?? -1n;
        const distance = 2n * (found * 3_650_000n - BigInt(p) * BigInt(bps) * BigInt(days));
        expect(distance <= 3_650_000n && distance >= -3_650_000n).toBe(true);
      }),
    );
  });

  it('is never less when compounded, and the same in the first year (investor 4)', () => {
    const days = fc.integer({ min: 1, max: 5_000 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 }), fc.integer({ min: 0, max: 5_000 }), days, (p, bps, count) => {
        // Years from an anniversary to the next are exactly 1 in this day count, but not in ACT/ACT.
        const terms = { principal_cents: p, interest_rate_bps: bps, issue_date: '2025-03-31', day_count: '30/360' };
        const asOf = plusDays('2025-03-31', count);
        const simple = accruedInterestCents(terms, asOf) ?? -1n;
        const compound = accruedInterestCents({ ...terms, interest_type: 'compound' }, asOf) ?? -1n;
        if (daysBetween('2026-03-31', asOf) < 0) expect(compound).toBe(simple);
        else expect(compound).toBeGreaterThanOrEqual(simple);
      }),
      { examples: [[834_426, 3, 1_096]] },
    );
  });
});
