/**
 * A password counts as common when nothing but one well-known password is left after digits and signs around it are
 * taken off and the usual letter swaps are undone: each entry stands for all its decorations (`Sunshine2024!`,
 * `5un5h1ne#1`). The entries come from a published list of the most used passwords; what people in offices build on
 * and the list lacks stands below. This is the only file that knows the list's package.
 */
import { createRequire } from 'node:module';
import type LanguageCommon from '@zxcvbn-ts/language-common';

const officeWords = [
  'accountant',
  'bookkeeping',
  'changeme',
  'checkbook',
  'controller',
  'credit',
  'debit',
  'invoice',
  'ledger',
  'passwort',
  'payroll',
  'quickbooks',
  'statement',
  'taxes',
  'treasury',
];

/**
 * The published list, loaded when the first password is judged. No Set is made of it: it would take another 2 MB
 * for as long as the process lives, and reading through the list takes a few milliseconds of the rare calls that judge.
 */
function publishedPasswords(): readonly unknown[] {
  const load = createRequire(import.meta.url);
  const { dictionary } = load('@zxcvbn-ts/language-common') as typeof LanguageCommon; // The types are the package's own.
  return dictionary['passwords-common'];
}

/** The number of passwords that are known as common; at least 10,000 (platform A-25). */
export function countCommonPasswords(): number {
  return new Set([...publishedPasswords(), ...officeWords]).size;
}

const swaps: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** True where a password is one well-known password, with or without decorations (platform A-25). */
export function isCommonPassword(password: string): boolean {
  const lowered = password.toLowerCase();
  const bare = (text: string) => text.replace(/^[^a-z]+/, '').replace(/[^a-z]+$/, '');
  const swapped = (text: string) => [...text].map((character) => swaps[character] ?? character).join('');
  const undecorated = lowered.replace(/[\d\W_]+$/, '');
  const stripped = new Set([lowered, bare(lowered), bare(swapped(lowered)), swapped(undecorated)]);
  const isStripped = (common: unknown): boolean => stripped.has(String(common));
  return officeWords.some(isStripped) || publishedPasswords().some(isStripped);
}
