import { hasCardNumber } from './card-numbers.ts';

/** The beginning of a word with a digit and a letter. */
const withLetterAndDigit = String.raw`(?=[^\s\d"'<>]{0,100}\d)(?=[^\sa-z"'<>]{0,100}[a-z])`;

/** The forms of keys (ME-14), each long enough that a word which only begins like a key does not match. */
const keyForms: readonly RegExp[] = [
  // The API keys and OAuth tokens of this product.
  /(?<![a-z0-9])rfs[a-z]{0,2}[_-]?(?=[a-z_-]{0,60}\d)[a-z0-9_-]{24,}/i,
  // JSON Web Tokens, signed or encrypted.
  /(?<![a-z0-9_-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/i,
  /-----BEGIN [A-Z0-9 ]{1,40}-----/i,
  // Amazon, Google, Azure.
  /(?<![A-Z0-9])(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Z0-9])/,
  /(?<![\w-])AIza[\w-]{35}(?![\w-])/,
  /(?<![\w-])GOCSPX-[\w-]{20,}/,
  /(?<![\w-])ya29\.[\w-]{20,}/,
  /(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{40,}={0,2}/,
  /secret[_ -]?access[_ -]?key['"]?\s{0,3}[:=]\s{0,3}['"]?[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/])/i,
  // DigitalOcean, Vault, Databricks, SendGrid, Twilio, Mailgun, Telegram, Shopify, PyPI, age.
  /(?<![a-z0-9])do[opr]_v1_[a-f0-9]{40,}/i,
  /(?<![a-z0-9])hv[bsr]\.[\w-]{20,}/i,
  /(?<![a-z0-9])dapi[a-f0-9]{32}(?![a-z0-9])/i,
  /(?<![\w-])SG\.[\w-]{16,64}\.[\w-]{16,}/,
  /(?<![A-Za-z0-9])SK[a-f0-9]{32}(?![a-z0-9])/i,
  /(?<![a-z0-9])key-[a-f0-9]{32}(?![a-z0-9])/i,
  /(?<![\w-])(?:bot)?\d{8,10}:(?=[\d_-]{0,34}[a-z])[\w-]{35}(?![\w-])/i,
  /(?<![a-z0-9])shp(?:at|ca|pa|ss)_[a-f0-9]{32}/i,
  /(?<![a-z0-9])pypi-(?:AgEI[\w-]{12,}|(?=[A-Za-z_-]{0,60}\d)[\w-]{60,})/,
  /AGE-SECRET-KEY-1[A-Z0-9]{20,}/i,
  // GitHub, GitLab, npm, Slack, Stripe, Hugging Face, and language model providers.
  /(?<![a-z0-9])gh[pousr]_[a-z0-9]{30,}/i,
  /(?<![a-z0-9])github_pat_\w{30,}/i,
  /(?<![a-z0-9])glpat-[\w-]{20,}/i,
  /(?<![a-z0-9])npm_[a-z0-9]{36}/i,
  /(?<![a-z0-9])hf_[a-z0-9]{30,}/i,
  /(?<![a-z0-9])xox[abeoprs]-[a-z0-9-]{20,}/i,
  /(?<![a-z0-9])(?:sk|rk|whsec)_(?:live_|test_)?(?=[a-z_]{0,60}\d)[a-z0-9]{16,}/i,
  /(?<![a-z0-9])sk-(?=[a-z_-]{0,60}\d)[\w-]{32,}/i,
  // A password in an address, such as that of a database, also without a user name; and secrets in its parameters.
  /[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/?#@]{0,100}:[^\s/?#@]{1,200}@/i,
  /[?&;#](?:password|passwd|pwd)=[^\s&;#]{4,}/i,
  /[?&;#](?:secret|token|sig|signature|x-amz-signature)=(?=[^\s&;#\d]{0,100}\d)[^\s&;#]{16,}/i,
  /hooks\.slack\.com\/(?:services|triggers|workflows)\/[\w/-]{20,}/i,
  // A header with credentials: words that follow it have no digit, equals sign or inner capital.
  /[Aa]uthorization["']?\s{0,3}[:=]\s{0,3}["']?(?:[Bb]asic|[Bb]earer)\s{1,3}(?=[\w+/.~-]{0,100}(?:\d|=|[a-z][A-Z]))[\w+/.~-]{6,}/,
  /(?<![A-Za-z0-9])xprv[1-9A-HJ-NP-Za-km-z]{100,}/,
  secretAfter(
    'pass(?:wor[dt]|wd|phrase)|pwd|api[_ -]?key|(?:access|auth|refresh)[_ -]?token|(?:client|api)[_ -]?secret|' +
      'secret[_ -]?key|private[_ -]?key|kennwort|mot de passe|contraseña|senha|parola|wachtwoord|hasło|lösenord|' +
      'salasana|adgangskode|şifre|пароль|密码|パスワード|비밀번호',
    String.raw`(?=[^\s\d"'<>]{0,100}\d)`,
  ),
  // Names with other meanings: what follows them has letters, too.
  secretAfter(String.raw`(?<![\p{L}\p{N}_?&;#-])(?:secret|token|bearer)`, withLetterAndDigit),
  /(?<![a-z0-9])passwor[dt] is ["'`]?(?=[^\s\d"'<>]{0,100}\d)(?=[^\sa-z"'<>]{0,100}[a-z])[^\s"'<>]{8,}/i,
];

/**
 * A secret after its name: without spaces, and with a digit, as prose after a colon seldom is. On the next line, where
 * prose often begins with a date, it has a letter, too. Not the address of one.
 */
function secretAfter(names: string, lookaheads: string): RegExp {
  const quotes = String.raw`["'*\x60]{0,3}`;
  const assignment = String.raw`${quotes}[ \t]{0,3}(?::=|=>|[:=])${quotes}[ \t]{0,3}${quotes}`;
  const onNextLine = String.raw`\r?\n[ \t]{0,8}${quotes}${withLetterAndDigit}`;
  const secret = String.raw`(?:${lookaheads}|${onNextLine})(?!\w{1,10}://)[^\s"'<>]{8,}`;
  return new RegExp(`(?:${names})${assignment}${secret}`, 'iu');
}

/** Characters that a reader does not see; they are removed, so that a key is found also with some of them in it. */
const invisible = /\p{Cf}|\p{Variation_Selector}/gu;

/** True if the text contains something that looks like a key, a token or the number of a payment card (ME-14). */
export function looksLikeCredential(text: string): boolean {
  // Compatibility forms, such as full-width digits, are read as the characters that they stand for.
  const plain = text
    .normalize('NFKC')
    .replaceAll(invisible, '')
    .replaceAll(/[^\P{Nd}0-9]/gu, westernDigit);
  return (
    keyForms.some((form) => form.test(plain)) ||
    hasCardNumber(plain.replaceAll(/\p{Pd}/gu, '-').replaceAll(/\p{Zs}/gu, ' '))
  );
}

/** The digit of any script as one of 0 to 9. Unicode encodes the ten digits of each script in order, without gaps. */
function westernDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}
