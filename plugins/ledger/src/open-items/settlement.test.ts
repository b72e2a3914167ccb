import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allocate } from './settlement.ts';

describe('the allocation of a payment', () => {
  it('settles the items in order and puts any excess on the last (ledger L-90)', () => {
    expect(allocate(100n, [30n, 50n, 70n])).toEqual([30n, 50n, 20n]);
    expect(allocate(100n, [30n, 20n])).toEqual([30n, 70n]);
    expect(allocate(10n, [30n, 20n])).toEqual([10n, 0n]);
    expect(allocate(10n, [-5n, 20n])).toEqual([0n, 10n]);
  });

  it('always adds up to the payment', () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 15n });
    fc.assert(
      fc.property(
        amount,
        fc.array(fc.bigInt({ min: -(10n ** 6n), max: 10n ** 15n }), { minLength: 1 }),
        (paid, open) => {
          const shares = allocate(paid, open);
          expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(paid);
          expect(shares.every((share) => share >= 0n)).toBe(true);
        },
      ),
    );
  });
});
