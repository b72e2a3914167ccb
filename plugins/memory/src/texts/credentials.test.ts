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
    ['a password in an address without a user name', 'redis://:s3cret%40@h:6379'],
    ['a password in the parameters of an address', 'jdbc:postgresql://h/db?user=x&password=hunter2'],
    ['a key in the parameters of an address', 'https://x.example/?api_key=AbCdEf123456789'],
    ['a signature of Azure', `https://x.example/c?sv=2022-11-02&sr=c&sig=${'aB3%2F'.repeat(7)}%3D`],
    ['an access key of Azure', `Endpoint=sb://x.example/;SharedAccessKey=${'aB3d'.repeat(11)}=`],
    ['an access token of Google', `ya29.${'a0Af_B-y'.repeat(5)}`],
    ['a token of DigitalOcean', `dop_v1_${hex(64)}`],
    ['a token of Vault', `hvs.${'CAESIJ3d'.repeat(4)}`],
    ['a token of Databricks', `dapi${hex(32)}-2`],
    ['a token of Hugging Face', `hf_${'aBcD'.repeat(8)}eF`],
    ['a key of SendGrid', `SG.${'aB3-'.repeat(5)}_x.${'aB3_'.repeat(10)}abc`],
    ['a key of Twilio', `SK${hex(32)}`],
    ['a token of Telegram', `123456789:AA${'aB3-_'.repeat(6)}xyz`],
    ['a token of Telegram in an address', `https://api.telegram.org/bot123456789:AA${'aB3-_'.repeat(6)}xyz/getMe`],
    ['a token of Shopify', `shpat_${hex(32)}`],
    ['a token of PyPI', `pypi-AgEIcHlwaS5vcmc${'aB3d'.repeat(20)}`],
    ['a key of Mailgun', `key-${hex(32)}`],
    ['a key of age', `AGE-SECRET-KEY-1${'QPZRY9X8'.repeat(7)}GF`],
    ['a web hook of Slack', `https://hooks.slack.com/services/T00000000/B00000000/${'aB3d'.repeat(6)}`],
    ['an assigned password', 'password=hunter2xyz'],
    ['a password after a colon', 'The portal of the bank: password: hunter2xyz, ask Bob'],
    ['a password in JSON', '{"db_password": "hunter2xyz"}'],
    ['a password in Markdown', '**Password:** `hunter2xyz`'],
    ['a password of exactly eight characters', 'pwd=hunter23'],
    ['a client secret', 'CLIENT_SECRET = aB3dE5gH'],
    ['a secret', 'secret: Tr0ub4dor&3'],
    ['a password on the next line', 'Password:\r\n  hunter2024x'],
    ['a key on the next line, as in YAML', 'api_key:\n    "9f8e7d6c5b4a3210"'],
    ['a password in another language', 'Wachtwoord: hunter2024'],
    ['a token', 'The bot: token=a1b2c3d4e5f6'],
    ['a password in a sentence', 'The password is Hunter2x!'],
    ['a password in other languages', 'Passwort: geheim123'],
    ['a password in Cyrillic letters', 'пароль: секрет123'],
    ['a private key of Bitcoin', `xprv${'9s21ZrQH'.repeat(14)}`],
    ['a header with a user name and a password', 'Authorization: Basic dXNlcjpwYXNz'],
    ['a header with a token', "'Authorization': 'Bearer 0123456789abcdef'"],
    ['a card number after its name', 'card_4111111111111111'],
    ['a card number after the name of its issuer', 'Visa-4111111111111111, my_card_number#4111111111111111'],
    ['a card number between underscores', 'It is _4111111111111111_'],
    ['a card number in Arabic digits', '٤١١١١١١١١١١١١١١١'],
    ['a card number in digits of Devanagari', '४१११ ११११ ११११ ११११'],
    ['a card number over two lines', 'Card 4111 1111\n1111 1111'],
    ['a card number over four lines', '4111\r\n1111\r\n1111\r\n1111\r\n12/27'],
    ['a card number with points', 'It is 4111.1111.1111.1111.'],
    ['a card number with two blanks', '3782  822463  10005'],
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
    [
      'codes after letters',
      'INV_4111111111111111 discard_4111111111111111 inv_2026_4111111111111111 PO#4111111111111111',
    ],
    ['account codes on lines', '4100\n4200\n4300\n4400\n'],
    ['amounts on lines', '4111\n1111\n1111\n1111\n2500\n'],
    ['amounts in columns', '2025  4111  1111  1111  1111'],
    ['amounts with points', '4.111.111.111.111.111 and 411.111.111.111.111,1'],
    ['segments of an account', '01.4111.1111.1111.1111.02 4111.1111.1111.1111.0000'],
    [
      'prose about passwords',
      'password: ask Bob; Password: see the safe in room 12; password=changed, api key: rotated 2026',
    ],
    ['a password of seven characters and one without a digit', 'password: hunter2 password: elsewhere'],
    ['a heading before a date', 'Password:\n2026-05-02 was the day of the change'],
    ['the address of a password', 'password: https://vault.example/items/4711'],
    ['a placeholder', 'password=<your-password-1>'],
    ['prose on the line after a password', 'The safe has a password:\n2026-05-02 is the day on which it is changed.'],
    ['prose about secrets', 'The secret: pay by 2026-05-02. Token: 20260502. The password is kept by Bob, room 12.'],
    ['prose about authorization', 'Authorization: basic information of the signer. Authorization: Bearer shares'],
    [
      'parameters of an address',
      'https://x.example/invoices?page_token=2&token=next&sig=no&from=2026-05-02#total=4111',
    ],
    [
      'names of packages and keys',
      'pypi-package-names-are-long, key-account-management-2026, hf_hub_download_of_models_20260502',
    ],
    [
      'a journal entry',
      'JE-2026-0001: debit 1200 Bank 4,500.00, credit 4000 Revenue 4,500.00, ref 12345678:INV-2026-000123',
    ],
    ['an account and a UUID', '12345678:4bd2f111-1111-4111-8111-111111111111 and SKU SK-4711-2026'],
    ['an address without a password', 'https://example.org:8443/a@b?c=d:e@f'],
  ])('lets %s through (ME-14)', (_case, text) => {
    expect(looksLikeCredential(text)).toBe(false);
  });

  it('finds card numbers that pass Luhn, in groups of four or digit by digit, with a date and a code (ME-14)', () => {
    const digits = (count: number) => fc.array(fc.integer({ min: 0, max: 9 }), { minLength: count, maxLength: count });
    const card = fc
      .constantFrom(['4', 16], ['51', 16], ['2221', 16], ['34', 15], ['6011', 16], ['36', 14], ['3528', 16], ['62', 19])
      .chain(([start, length]) =>
        digits(Number(length) - String(start).length - 1).map((rest) => withCheckDigit(`${start}${rest.join('')}`)),
      );
    fc.assert(
      fc.property(
        card,
        fc.constantFrom('', ' ', '-'),
        fc.constantFrom(/\d{1,4}/g, /\d/g),
        fc.constantFrom('', ' 12/26', ' 12/26 1 2 3'),
        (number, separator, groups, after) => {
          const grouped = number.match(groups)?.join(separator) ?? '';
          // One in 24,000 looks like account codes.
          fc.pre(!/^(\d)\d{3}[ -]\1/.test(grouped));
          expect(looksLikeCredential(`paid with ${grouped}${after}.`)).toBe(true);
        },
      ),
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

  it('lets lists of more than four numbers through, whatever separates them (ME-14)', () => {
    const numbers = fc.array(fc.integer({ min: 1_000, max: 9_999 }), { minLength: 5, maxLength: 40 });
    fc.assert(
      fc.property(numbers, fc.constantFrom('\n', '\r\n', '  ', '\t', '.', ' - '), (codes, separator) => {
        expect(looksLikeCredential(`Amounts:\n${codes.join(separator)}\n`)).toBe(false);
      }),
    );
  });

  // The length makes a search fail whose time grows with the square of it.
  it.each(['a', '1', '٤', '4111\n', 'rfs-', 'SG.a', 'a://:', 'password=', 'Authorization: Basic ', 'card number '])(
    'finds nothing in 500,000 characters of %j (ME-14)',
    (part) => {
      expect(looksLikeCredential(part.repeat(500_000 / part.length))).toBe(false);
    },
  );

  it.each([
    ...[
      'sk_',
      'eyJ-',
      '1 ',
      '4111 ',
      '4111.',
      'a://b:',
      '-----BEGIN ',
      'AAA1 ',
      '?password=;',
      '&sig=',
      'password: "*',
    ],
    ...[
      'api_',
      'hooks.slack.com/services/',
      'SG.',
      'hvs.',
      'key-',
      'dapi',
      '12345678:',
      'bot',
      'pypi-',
      'ya29.',
      'card_',
    ],
  ])('finds nothing in 10,000 characters of beginnings of keys: %j (ME-14)', (part) => {
    expect(looksLikeCredential(part.repeat(10_000 / part.length))).toBe(false);
  });
});

function withCheckDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
