import { readFileSync } from 'node:fs';
import { parseCsv } from '../src/domain/csv.ts';

/** One account name with the answers that may stand. */
export interface LabelledName {
  /** What synonyms and weights may be tuned on, and what only measures. */
  readonly half: 'tune' | 'held';
  readonly code: string | null;
  readonly name: string;
  readonly parentName: string | null;
  readonly trait: string | null;
  readonly liquidity: string | null;
  readonly balanceType: 'debit' | 'credit';
  /** Qualified names; none when a person has to decide. */
  readonly concepts: readonly string[];
}

/** The two hundred labelled names (data/account-names.csv says how they were made). */
export function readAccountNames(): readonly LabelledName[] {
  const fileName = 'account-names.csv';
  const lines = readFileSync(new URL(`./data/${fileName}`, import.meta.url), 'utf8').split('\n');
  const rows = parseCsv(lines.filter((line) => !line.startsWith('#')).join('\n'), fileName);
  return rows.map((row) => ({
    half: row['half'] === 'tune' ? 'tune' : 'held',
    code: row['code'] || null,
    name: row['name'] ?? '',
    parentName: row['parent'] || null,
    trait: row['trait'] || null,
    liquidity: row['liquidity'] || null,
    balanceType: row['balance'] === 'C' ? 'credit' : 'debit',
    concepts: (row['concepts'] ?? '').split('|').flatMap((concept) => (concept === '' ? [] : [`rs-gaap:${concept}`])),
  }));
}
