/**
 * A password counts as common if stripping digits and symbols from its ends and undoing the usual letter swaps leaves
 * one well-known password: each entry covers all its decorations (`Sunshine2024!`, `5un5h1ne#1`). The entries come
 * from a published list of the most used passwords; office words that the list lacks are added below. This is the
 * only file that imports the list's package.
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
 * Loads the published list with the first password that is checked. It is not copied into a Set, which would hold
 * another 2 MB for the life of the process: scanning it takes a few milliseconds, and checks are rare.
 */
function publishedPasswords(): readonly unknown[] {
  const load = createRequire(import.meta.url);
  const { dictionary } = load('@zxcvbn-ts/language-common') as typeof LanguageCommon; // The package's types.
  return dictionary['passwords-common'];
}

/** The number of known common passwords; at least 10,000 (platform A-25). */
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

/** True if the password is one well-known password, with or without decorations (platform A-25). */
export function isCommonPassword(password: string): boolean {
  const lowered = password.toLowerCase();
  const bare = (text: string) => text.replace(/^[^a-z]+/, '').replace(/[^a-z]+$/, '');
  const swapped = (text: string) => [...text].map((character) => swaps[character] ?? character).join('');
  const undecorated = lowered.replace(/[\d\W_]+$/, '');
  const stripped = new Set([lowered, bare(lowered), bare(swapped(lowered)), swapped(undecorated)]);
  const isStripped = (common: unknown): boolean => stripped.has(String(common));
  return officeWords.some(isStripped) || publishedPasswords().some(isStripped);
}
