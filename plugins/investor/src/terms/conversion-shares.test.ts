import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conversionShares } from './conversion-shares.ts';

const round = { date: '2027-01-01', pricePerShareCents: '100', fullyDilutedShares: 10_000_000n };

describe('conversionShares', () => {
  it('takes the lowest of the cap, discount and round prices and rounds down (investor 4)', () => {
    const safe = { purchase_amount_cents: 50_000_000 };
    expect(conversionShares(safe, round)).toBe(500_000n);
    expect(conversionShares({ ...safe, discount_pct: 20 }, round)).toBe(625_000n);
    // 5 % of the company: 500,000 of 10,000,000 after the conversion.
    expect(conversionShares({ ...safe, valuation_cap_cents: 1_000_000_000 }, round)).toBe(526_315n);
    expect(conversionShares({ ...safe, valuation_cap_cents: 1_000_000_000, discount_pct: 20 }, round)).toBe(625_000n);
    const preMoney = { ...safe, valuation_cap_cents: 400_000_000, valuation_cap_type: 'pre_money' };
    expect(conversionShares(preMoney, round)).toBe(1_250_000n);
    expect(conversionShares({ ...safe, valuation_cap_cents: 400_000_000 }, round)).toBe(1_428_571n);
  });

  it('adds the interest of a note, stated or accrued to the date of the round (investor 4)', () => {
    const note = { principal_cents: 10_000_000, interest_rate_bps: 1_000, issue_date: '2026-01-01' };
    expect(conversionShares(note, round)).toBe(110_000n);
    expect(conversionShares({ ...note, accrued_interest_cents: 500_000 }, round)).toBe(105_000n);
    expect(conversionShares({ ...note, valuation_cap_cents: 500_000_000 }, round)).toBe(220_000n);
  });

  it('accepts prices with parts of a cent exactly (investor 4)', () => {
    const safe = { purchase_amount_cents: 100, discount_pct: 0.1 };
    expect(conversionShares({ purchase_amount_cents: 100 }, { ...round, pricePerShareCents: '0.3' })).toBe(333n);
    expect(conversionShares(safe, { ...round, pricePerShareCents: '1000e-2' })).toBe(10n);
    expect(() => conversionShares(safe, { ...round, pricePerShareCents: 'ten' })).toThrow(RangeError);
  });

  it('is undefined without an amount, and refuses prices that no share can have (investor 4)', () => {
    expect(conversionShares({ valuation_cap_cents: 5 }, round)).toBeUndefined();
    const safe = { purchase_amount_cents: 100 };
    expect(() => conversionShares({ ...safe, discount_pct: 100 }, round)).toThrow(RangeError);
    expect(() => conversionShares({ ...safe, valuation_cap_cents: 100 }, round)).toThrow(/post-money/);
    expect(() => conversionShares({ ...safe, valuation_cap_cents: 500 }, { ...round, fullyDilutedShares: 0n })).toThrow(
      RangeError,
    );
  });

  it('gives the holder of a post-money cap amount / cap of the company, less at most one share (investor 4)', () => {
    const cents = fc.integer({ min: 1, max: 1e13 });
    const shares = fc.bigInt({ min: 1n, max: 10n ** 12n });
    fc.assert(
      fc.property(cents, cents, shares, (amount, more, fullyDilutedShares) => {
        const cap = amount + more;
        const safe = { purchase_amount_cents: amount, valuation_cap_cents: cap };
        // The price of the round is above every cap price here.
        const found =
          conversionShares(safe, { ...round, pricePerShareCents: '99999999999999', fullyDilutedShares }) ?? 0n;
        const owned = (count: bigint) => count * BigInt(cap) - BigInt(amount) * (fullyDilutedShares + count);
        expect(owned(found)).toBeLessThanOrEqual(0n);
        expect(owned(found + 1n)).toBeGreaterThan(0n);
      }),
    );
  });

  it('never gives fewer shares for a lower cap or a higher discount (investor 4)', () => {
    const percent = fc.integer({ min: 0, max: 99 });
    const cap = fc.integer({ min: 1_001, max: 1e12 });
    fc.assert(
      fc.property(percent, percent, cap, cap, (firstPct, secondPct, firstCap, secondCap) => {
        const at = (discountPct: number, valuationCapCents: number) =>
          conversionShares(
            { purchase_amount_cents: 1_000, discount_pct: discountPct, valuation_cap_cents: valuationCapCents },
            round,
          ) ?? -1n;
        const [low, high] = [Math.min(firstPct, secondPct), Math.max(firstPct, secondPct)];
        const [lower, higher] = [Math.min(firstCap, secondCap), Math.max(firstCap, secondCap)];
        expect(at(high, lower)).toBeGreaterThanOrEqual(at(low, higher));
      }),
    );
  });
});
