import { expect, it } from 'vitest';
import { newPassword } from './open-account.ts';

it('generates passwords of all character classes, without words or three equal characters in a row (platform A-24)', () => {
  const passwords = Array.from({ length: 500 }, newPassword);
  expect(new Set(passwords).size).toBe(passwords.length);
  for (const password of passwords) {
    expect(password).toMatch(/^[A-Z]{8}-[a-z]{8}-[2-9]{4}$/);
    expect(password).not.toMatch(/[aeiou]|(.)\1\1/i);
  }
});
