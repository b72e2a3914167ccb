import { readFileSync } from 'node:fs';
import { parseCsv } from '../src/values/csv.ts';

/** Names for tuning the synonyms, a held-out half, and names labeled after the tuning. */
export const parts = ['tune', 'held', 'fresh'] as const;
export type Part = (typeof parts)[number];

const fileNames = ['account-names.csv', 'account-names-fresh.csv'];

/** An account name with its acceptable answers. */
export interface LabeledName {
  readonly part: Part;
  readonly code: string | null;
  readonly name: string;
  readonly parentName: string | null;
  readonly trait: string | null;
  readonly liquidity: string | null;
  readonly balanceType: 'debit' | 'credit';
  /** Qualified names; none when a user has to decide. */
  readonly concepts: readonly string[];
}

/** Reads the three hundred labeled names; the headers of the files in data/ tell how they were made. */
export function readAccountNames(): readonly LabeledName[] {
  return fileNames.flatMap(readFile);
}

function readFile(fileName: string): readonly LabeledName[] {
  const lines = readFileSync(new URL(`./data/${fileName}`, import.meta.url), 'utf8').split('\n');
  const rows = parseCsv(lines.filter((line) => !line.startsWith('#')).join('\n'), fileName);
  return rows.map((row) => ({
    part: parts.find((part) => part === row['part']) ?? 'fresh',
    code: row['code'] || null,
    name: row['name'] ?? '',
    parentName: row['parent'] || null,
    trait: row['trait'] || null,
    liquidity: row['liquidity'] || null,
    balanceType: row['balance'] === 'C' ? 'credit' : 'debit',
    concepts: (row['concepts'] ?? '').split('|').flatMap((concept) => (concept === '' ? [] : [`rs-gaap:${concept}`])),
  }));
}
