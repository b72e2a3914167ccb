import { isCommonPassword } from './common-passwords.ts';
import { refused } from './refusals.ts';

/** The password policy, as published on the wire (platform A-24). */
export const passwordPolicy = Object.freeze({
  min_length: 12,
  max_length: 128,
  require_uppercase: true,
  require_lowercase: true,
  require_digits: true,
  require_special: true,
  min_unique_chars: 8,
  min_strength_score: 60,
  special_chars: '!@#$%^&*()',
});

export type PasswordStrength = 'very_weak' | 'weak' | 'fair' | 'good' | 'strong';

/** The rating of a password; `score` is 0 to 100 (platform ). */
export interface PasswordVerdict {
  readonly is_valid: boolean;
  readonly strength: PasswordStrength;
  readonly score: number;
  readonly errors: readonly string[];
  readonly suggestions: readonly string[];
  readonly character_types: Readonly<Record<'uppercase' | 'lowercase' | 'digits' | 'special', boolean>>;
}

/** Wider than the advertised characters, so that no reasonable symbol makes a password fail. */
const specialCharacters = new Set('!@#$%^&*(),.?":{}|<>-_=+[];\'/\\~` ');

const weakWords = ['123456', 'abcdef', 'qwerty', 'password', 'admin', 'user', 'login', 'welcome'];

const minEmailPartLetters = 4;

interface Finding {
  readonly failed: boolean;
  readonly error: string;
  readonly suggestion: string;
}

/** Rates a password, which must not be built on the email address or a product name. */
export function checkPassword(password: string, email?: string, productNames: readonly string[] = []): PasswordVerdict {
  const types = characterTypes(password);
  const characters = [...password];
  const lowered = password.toLowerCase();
  const weakPattern = /(.)\1\1/su.test(lowered) || includesAny(lowered, [...weakWords, ...productNames]);
  const common = isCommonPassword(password);
  const likeEmail = includesAny(lowered, emailParts(email));
  const distinct = new Set(characters).size;
  const findings = [
    ...requirements(characters.length, distinct, types),
    ...resemblances({ weakPattern, common, likeEmail }),
  ];
  const failed = findings.filter((finding) => finding.failed);
  const score = clamp(
    scoreOf(characters.length, distinct, types) - (weakPattern ? 10 : 0) - (common ? 20 : 0) - (likeEmail ? 15 : 0),
  );
  return {
    is_valid: failed.length === 0 && score >= passwordPolicy.min_strength_score,
    strength: strengthOf(score),
    score,
    errors: failed.map((finding) => finding.error),
    suggestions: failed.map((finding) => finding.suggestion),
    character_types: types,
  };
}

/** Throws 400 with every rule that a new password breaks. */
export function requirePolicy(password: string, email: string, productNames: readonly string[]): void {
  const verdict = checkPassword(password, email, productNames);
  if (!verdict.is_valid) throw refused(`Password requirements not met: ${verdict.errors.join(', ')}`);
}

function characterTypes(password: string): PasswordVerdict['character_types'] {
  return {
    uppercase: /\p{Lu}/u.test(password),
    lowercase: /\p{Ll}/u.test(password),
    digits: /[0-9]/.test(password),
    special: [...password].some((character) => specialCharacters.has(character)),
  };
}

function scoreOf(length: number, distinct: number, types: PasswordVerdict['character_types']): number {
  const classes = Object.values(types).filter(Boolean).length;
  return (
    (length >= 12 ? 20 : 0) +
    classes * 15 +
    (distinct >= 8 ? 10 : 0) +
    (length >= 16 ? 10 : 0) +
    (length >= 20 ? 5 : 0) +
    (classes === 4 ? 10 : 0)
  );
}

function requirements(length: number, distinct: number, types: PasswordVerdict['character_types']): Finding[] {
  const { min_length, max_length, min_unique_chars, special_chars } = passwordPolicy;
  return [
    {
      failed: length < min_length,
      error: `Password must have at least ${min_length} characters`,
      suggestion: 'Make it longer; a few unrelated words are easy to remember.',
    },
    {
      failed: length > max_length,
      error: `Password must have at most ${max_length} characters`,
      suggestion: 'Make it shorter.',
    },
    { failed: !types.uppercase, error: 'Password must have an uppercase letter', suggestion: 'Add a capital letter.' },
    { failed: !types.lowercase, error: 'Password must have a lowercase letter', suggestion: 'Add a small letter.' },
    { failed: !types.digits, error: 'Password must have a digit', suggestion: 'Add a digit.' },
    {
      failed: !types.special,
      error: 'Password must have a special character',
      suggestion: `Add a symbol such as one of ${special_chars}`,
    },
    {
      failed: distinct < min_unique_chars,
      error: `Password must have at least ${min_unique_chars} different characters`,
      suggestion: 'Use more different characters.',
    },
  ];
}

function resemblances(hits: { weakPattern: boolean; common: boolean; likeEmail: boolean }): Finding[] {
  return [
    {
      failed: hits.weakPattern,
      error: 'Password contains a weak pattern',
      suggestion: 'Avoid a character three times in a row, keyboard rows, and words such as welcome or admin.',
    },
    {
      failed: hits.common,
      error: 'Password is too common',
      suggestion: 'Do not build it on one well-known word; combine several.',
    },
    {
      failed: hits.likeEmail,
      error: 'Password contains a part of the email address',
      suggestion: 'Leave your email address out of it.',
    },
  ];
}

function emailParts(email: string | undefined): readonly string[] {
  const local = email?.toLowerCase().split('@', 1)[0] ?? '';
  return local.split('.').filter((part) => part.length >= minEmailPartLetters);
}

function includesAny(text: string, parts: readonly string[]): boolean {
  return parts.some((part) => part !== '' && text.includes(part.toLowerCase()));
}

function strengthOf(score: number): PasswordStrength {
  if (score >= 90) return 'strong';
  if (score >= 75) return 'good';
  if (score >= 50) return 'fair';
  return score >= 25 ? 'weak' : 'very_weak';
}

function clamp(score: number): number {
  return Math.min(100, Math.max(0, score));
}
