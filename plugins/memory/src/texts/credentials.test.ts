import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { looksLikeCredential } from './credentials.ts';

const hex = (length: number) => '7e'.repeat(length / 2);

describe('looksLikeCredential', () => {
  it.each([
    ['an API key of this product', `rfs${hex(64)}`],
    ['a part of one', `It begins with rfs${hex(32)}`],
    ['an access token of this product', `rfso_${hex(40)}`],
    ['a refresh token of this product', `token=rfsr${hex(40)};`],
    ['a signed token', `Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${hex(40)}`],
    ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nMIIE'],
    ['a certificate', '-----BEGIN CERTIFICATE-----'],
    ['a key of Amazon', `AKIA${'Q3EGRIZ2'.repeat(2)}`],
    ['a secret key of Amazon', `AWS_SECRET_ACCESS_KEY=${'wJalr+XUtn'.repeat(4)}`],
    ['a key of Google', `AIza${'Sy-a_4kq'.repeat(5).slice(0, 35)}`],
    ['a token of GitHub', `ghp_${'aB3d'.repeat(9)}`],
    ['a token of GitLab', `glpat-${'aB3d'.repeat(5)}`],
    ['a token of Slack', `xoxb-${'12345-'.repeat(5)}`],
    ['a key of Stripe', `sk_live_${'aB3d'.repeat(6)}`],
    ['a key of a language model', `sk-ant-api03-${'aB3d'.repeat(10)}`],
    ['a password in an address', 'postgres://reader:s3cret@db.example:5432/books'],
    ['a key with an invisible character in it', `rfs${hex(20)}\u200b${hex(44)}`],
    ['a key in full-width characters', `ｒｆｓ${hex(64)}`],
    ['a card number in full-width digits', '４１１１１１１１１１１１１１１１'],
    ['a card number before its date', 'Card: 5555 5555 5555 4444 12/27, 123'],
    ['a card number after a date', '2026-05-02 3782 822463 10005'],
    ['a card number with other dashes and blanks', '6011‑1111‑1111\u00a01117'],
  ])('finds %s (ME-14)', (_case, text) => {
    expect(looksLikeCredential(text)).toBe(true);
  });

  it.each([
    ['words that begin like a key', 'rfs, sk-learn-is-a-library-for-machine-learning, AKIA and ghp_ are prefixes.'],
    ['an invoice number', 'INV-4111111111111111'],
    [
      'an ISIN, an LEI and an IBAN',
      'US0378331005 5493001KJTIIGC8Y1R12 DE89 3704 0044 0532 0130 00 DE89370400440532013000',
    ],
    ['phone numbers', '+49 30 901820 12345, +14155550100, (415) 555-0100, 0800 123 4567'],
    ['account codes', '4000 4100 4200 4310; 1000-1099; 5000 5001 5002 5008'],
    ['amounts', '4,111,111,111,111,111.00 and 4.111.111.111.111.111,00 and 4111111111111111.50'],
    ['a UUID', '4bd2f111-1111-4111-8111-111111111111'],
    ['instants', '2026-05-02T08:00:00.000Z 20260502080000 1777708800000'],
    ['an address without a password', 'https://example.org:8443/a@b?c=d:e@f'],
  ])('lets %s through (ME-14)', (_case, text) => {
    expect(looksLikeCredential(text)).toBe(false);
  });

  it('finds every card number that passes Luhn, however it is grouped (ME-14)', () => {
    const digits = (count: number) => fc.array(fc.integer({ min: 0, max: 9 }), { minLength: count, maxLength: count });
    const card = fc
      .constantFrom(['4', 16], ['51', 16], ['2221', 16], ['34', 15], ['6011', 16], ['36', 14], ['3528', 16], ['62', 19])
      .chain(([start, length]) =>
        digits(Number(length) - String(start).length - 1).map((rest) => withCheckDigit(`${start}${rest.join('')}`)),
      );
    fc.assert(
      fc.property(card, fc.constantFrom('', ' ', '-'), (number, separator) => {
        const grouped = number.match(/\d{1,4}/g)?.join(separator) ?? '';
        // One in 24,000 looks like account codes.
        fc.pre(!/^(\d)\d{3}.\1/.test(grouped) || separator === '');
        expect(looksLikeCredential(`paid with ${grouped}.`)).toBe(true);
      }),
    );
  });

  it('lets numbers of accounting through (ME-14)', () => {
    const number = (most: number) => fc.integer({ min: 0, max: most });
    const texts = fc.oneof(
      fc
        .tuple(number(2_100), number(999_999))
        .map(([year, count]) => `Invoice INV-${year}-${String(count).padStart(6, '0')}`),
      number(10 ** 14).map(
        (cents) => `It costs ${(cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })} USD`,
      ),
      fc
        .array(fc.integer({ min: 1_000, max: 9_999 }), { maxLength: 40 })
        .map((codes) => codes.map((code) => `${code},`).join(' ')),
      fc.tuple(number(99), number(10 ** 13)).map(([country, rest]) => `Call +${country} ${rest}`),
      fc.tuple(fc.stringMatching(/^[A-Z]{2}[A-Z0-9]{9}\d$/)).map(([isin]) => `ISIN ${isin}`),
      fc
        .date({ noInvalidDate: true, min: new Date('1900-01-01'), max: new Date('2200-01-01') })
        .map((date) => date.toISOString()),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(looksLikeCredential(text)).toBe(false);
      }),
    );
  });

  it('finds nothing in 10,000 characters of beginnings of keys (ME-14)', () => {
    for (const part of ['rfs-', 'sk_', 'eyJ-', '1 ', '4111 ', 'a://b:', '-----BEGIN ', 'AAA1 ']) {
      expect(looksLikeCredential(part.repeat(10_000 / part.length))).toBe(false);
    }
  });
});

function withCheckDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
