import { describe, expect, it } from 'vitest';
import { hashPassword, isPassword } from './password-hash.ts';

describe('password hashes', () => {
  it('are argon2id with 19 MiB and two passes, and differ for equal passwords (platform A-23)', async () => {
    const [first, second] = await Promise.all([hashPassword('Harbour-Lantern-42'), hashPassword('Harbour-Lantern-42')]);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(first).not.toBe(second);
  });

  it('match the password and nothing else', async () => {
    const stored = await hashPassword('Harbour-Lantern-42');
    expect(await isPassword('Harbour-Lantern-42', stored)).toBe(true);
    expect(await isPassword('harbour-lantern-42', stored)).toBe(false);
    expect(await isPassword('Harbour-Lantern-42'.repeat(100), stored)).toBe(false);
  });

  it('return false without a hash, after the work of a comparison (platform A-21)', async () => {
    expect(await isPassword('-', null)).toBe(false);
    expect(await isPassword('anything', undefined)).toBe(false);
  });
});
