import { readFileSync } from 'node:fs';
import { parseCsv } from '../src/values/csv.ts';

/** What synonyms may be tuned on, its other half, and names that were labelled when the tuning was over. */
export const parts = ['tune', 'held', 'fresh'] as const;
export type Part = (typeof parts)[number];

const fileNames = ['account-names.csv', 'account-names-fresh.csv'];

/** One account name with the answers that may stand. */
export interface LabelledName {
  readonly part: Part;
  readonly code: string | null;
  readonly name: string;
  readonly parentName: string | null;
  readonly trait: string | null;
  readonly liquidity: string | null;
  readonly balanceType: 'debit' | 'credit';
  /** Qualified names; none when a person has to decide. */
  readonly concepts: readonly string[];
}

/** The three hundred labelled names (the heads of the files in data/ say how they were made). */
export function readAccountNames(): readonly LabelledName[] {
  return fileNames.flatMap(readFile);
}

function readFile(fileName: string): readonly LabelledName[] {
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
