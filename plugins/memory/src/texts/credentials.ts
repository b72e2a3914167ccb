import { hasCardNumber } from './card-numbers.ts';

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
  /AccountKey=[A-Za-z0-9+/]{40,}={0,2}/,
  /secret[_ -]?access[_ -]?key['"]?\s{0,3}[:=]\s{0,3}['"]?[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/])/i,
  // GitHub, GitLab, npm, Slack, Stripe, and language model providers.
  /(?<![a-z0-9])gh[pousr]_[a-z0-9]{30,}/i,
  /(?<![a-z0-9])github_pat_\w{30,}/i,
  /(?<![a-z0-9])glpat-[\w-]{20,}/i,
  /(?<![a-z0-9])npm_[a-z0-9]{36}/i,
  /(?<![a-z0-9])xox[abeoprs]-[a-z0-9-]{20,}/i,
  /(?<![a-z0-9])(?:sk|rk|whsec)_(?:live_|test_)?(?=[a-z_]{0,60}\d)[a-z0-9]{16,}/i,
  /(?<![a-z0-9])sk-(?=[a-z_-]{0,60}\d)[\w-]{32,}/i,
  // A password in an address, such as that of a database.
  /[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/?#@]{1,100}:[^\s/?#@]{1,200}@/i,
];

/** Characters that a reader does not see; they are removed, so that a key is found also with some of them in it. */
const invisible = /\p{Cf}|\p{Variation_Selector}/gu;

/** True if the text contains something that looks like a key, a token or the number of a payment card (ME-14). */
export function looksLikeCredential(text: string): boolean {
  // Compatibility forms, such as full-width digits, are read as the characters that they stand for.
  const plain = text.normalize('NFKC').replaceAll(invisible, '');
  return (
    keyForms.some((form) => form.test(plain)) ||
    hasCardNumber(plain.replaceAll(/\p{Pd}/gu, '-').replaceAll(/\p{Zs}/gu, ' '))
  );
}
