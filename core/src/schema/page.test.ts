import { describe, expect, it } from 'vitest';
import { pageOf } from './page.ts';

describe('pageOf', () => {
  it("takes offsets up to 1,000,000,000 and refuses others as the caller's error (platform E-24a)", () => {
    const rule = { defaultLimit: 50 };
    for (const offset of [0, 1_000_000_000]) expect(pageOf({ offset }, rule)).toEqual({ limit: 50, offset });
    for (const offset of [-1, 1_000_000_001, 1e300])
      for (const clampsLimit of [false, true])
        expect(() => pageOf({ offset }, { ...rule, clampsLimit })).toThrow(
          expect.objectContaining({ kind: 'invalid_input', code: 'INVALID_PAGINATION' }),
        );
  });
});
