import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countCommonPasswords } from './common-passwords.ts';
import { checkPassword, passwordPolicy } from './password-policy.ts';

describe('the password policy', () => {
  it('scores the worked examples (platform A-26)', () => {
    expect(checkPassword('Harbour-Lantern-42', 'm.ito@x.org')).toMatchObject({
      score: 100,
      strength: 'strong',
      is_valid: true,
      errors: [],
      suggestions: [],
    });
    expect(checkPassword('Quarterly1234')).toMatchObject({
      score: 75,
      strength: 'good',
      is_valid: false,
      errors: ['Password must have a special character'],
      character_types: { uppercase: true, lowercase: true, digits: true, special: false },
    });
    expect(checkPassword('Wwwelcome!2222')).toMatchObject({
      score: 90,
      strength: 'strong',
      is_valid: false,
      errors: ['Password contains a weak pattern'],
    });
  });

  it('accepts the length at its limits and rejects one past them (platform A-24)', () => {
    const ofLength = (length: number) => 'Ab1!cdEf2#gHij3$'.repeat(9).slice(0, length);
    expect(checkPassword(ofLength(11)).errors).toEqual(['Password must have at least 12 characters']);
    expect(checkPassword(ofLength(12)).is_valid).toBe(true);
    expect(checkPassword(ofLength(128)).is_valid).toBe(true);
    expect(checkPassword(ofLength(129)).errors).toEqual(['Password must have at most 128 characters']);
  });

  it('deducts 15 for a part of the email address of more than three letters (platform A-25)', () => {
    const password = 'Marina-Sky#12';
    expect(checkPassword(password, 'x.marina@example.org').score).toBe(checkPassword(password).score - 15);
    expect(checkPassword('Ito-Harbour-Gate-7', 'm.ito@example.org').is_valid).toBe(true);
  });

  it('deducts 20 for one well-known word with decorations (platform A-25)', () => {
    for (const password of ['Sunshine2024!', '5un5h1ne#1', '!!Ledger!!2025', 'Qu4rt3rly']) {
      const isCommon = checkPassword(password).errors.includes('Password is too common');
      expect([password, isCommon]).toEqual([password, password !== 'Qu4rt3rly']);
    }
  });

  it('knows at least ten thousand common passwords (platform A-25)', () => {
    expect(countCommonPasswords()).toBeGreaterThanOrEqual(10_000);
  });

  it('rejects a password built on the product name', () => {
    expect(checkPassword('Pacioli-Gate-9x7', undefined, ['Pacioli']).is_valid).toBe(false);
    expect(checkPassword('Pacioli-Gate-9x7').is_valid).toBe(true);
  });

  it('gives every error a suggestion, and is valid only without errors and with a sufficient score', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 140 }), (password) => {
        const verdict = checkPassword(password, 'someone@example.org');
        expect(verdict.suggestions).toHaveLength(verdict.errors.length);
        expect(verdict.score).toBeGreaterThanOrEqual(0);
        expect(verdict.score).toBeLessThanOrEqual(100);
        expect(verdict.is_valid).toBe(
          verdict.errors.length === 0 && verdict.score >= passwordPolicy.min_strength_score,
        );
      }),
    );
  });
});
