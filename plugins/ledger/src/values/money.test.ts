import { describe, expect, it } from 'vitest';
import { exactMinor } from './money.ts';

describe('exactMinor', () => {
  it('converts sums up to 2^53 - 1 of either sign exactly and refuses larger ones (ledger L-2)', () => {
    const limit = 9_007_199_254_740_991n;
    expect([exactMinor(limit, 'The sum'), exactMinor(-limit, 'The sum'), exactMinor(0n, 'The sum')]).toEqual([
      Number.MAX_SAFE_INTEGER,
      Number.MIN_SAFE_INTEGER,
      0,
    ]);
    for (const sum of [limit + 1n, -limit - 1n, limit + 2n])
      expect(() => exactMinor(sum, 'The sum')).toThrow('The sum is above 9007199254740991 minor units');
  });
});
