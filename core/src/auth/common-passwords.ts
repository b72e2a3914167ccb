/**
 * A password counts as common when nothing but one well-known password is left after digits and signs around it are
 * taken off and the usual letter swaps are undone: each entry stands for all its decorations (`Sunshine2024!`,
 * `5un5h1ne#1`). The entries come from a published list of the most used passwords; what people in offices build on
 * and the list lacks stands below. This is the only file that knows the list's package.
 */
import { dictionary } from '@zxcvbn-ts/language-common';

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

const common: ReadonlySet<string> = new Set([...(dictionary['passwords-common'] ?? []).map(String), ...officeWords]);

/** How many passwords are known as common; at least 10,000 (platform A-25). */
export const common_passwords_count: number = common.size;

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

/** Whether a password is one well-known password, with or without decorations (platform A-25). */
export function isCommonPassword(password: string): boolean {
  const lowered = password.toLowerCase();
  const bare = (text: string) => text.replace(/^[^a-z]+/, '').replace(/[^a-z]+$/, '');
  const swapped = (text: string) => [...text].map((character) => swaps[character] ?? character).join('');
  const undecorated = lowered.replace(/[\d\W_]+$/, '');
  return [lowered, bare(lowered), bare(swapped(lowered)), swapped(undecorated)].some((text) => common.has(text));
}
