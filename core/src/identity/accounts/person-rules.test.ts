import { describe, expect, it } from 'vitest';
import { normalEmail } from '../../schema/email-address.ts';
import { normalName } from './profile-rules.ts';

describe('normalEmail', () => {
  it('trims and lowercases an address (platform A-13)', () => {
    expect(normalEmail('  M.Ito@Example.ORG ')).toBe('m.ito@example.org');
  });

  it('rejects zero or two at signs, a domain without a dot, and spaces (platform A-13)', () => {
    const wrong = [
      '',
      'ito',
      'ito@example',
      'a@b@example.org',
      '@example.org',
      'a b@example.org',
      'a@example..org',
      'a@.org',
    ];
    expect(wrong.map((text) => normalEmail(text))).toEqual(wrong.map(() => undefined));
  });

  it('accepts 254 characters and rejects 255 (platform A-13)', () => {
    const ofLength = (length: number) => `${'a'.repeat(length - '@example.org'.length)}@example.org`;
    expect(normalEmail(ofLength(254))).toHaveLength(254);
    expect(normalEmail(ofLength(255))).toBeUndefined();
  });
});

describe('normalName', () => {
  it('removes markup, control characters and surrounding spaces (platform A-13)', () => {
    expect(normalName(' Mika\u0000 <b>Ito</b>\n')).toBe('Mika Ito');
  });

  it('accepts 1 to 100 characters', () => {
    expect(normalName('<i></i>')).toBeUndefined();
    expect(normalName('x')).toBe('x');
    expect(normalName('x'.repeat(100))).toHaveLength(100);
    expect(normalName('x'.repeat(101))).toBeUndefined();
  });
});
