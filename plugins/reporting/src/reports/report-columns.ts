import { characterCount, invalidInput } from '@pacioli/core';
import { priorOf, type Window } from '../statements/index.ts';

/** A column of a report, in the order in which it is shown. */
export interface ReportColumn extends Window {
  readonly label: string;
}

/** The columns of a report and the request that they follow from. */
export interface ReportColumns {
  readonly columns: readonly ReportColumn[];
  /** The whole time that the columns cover (P-9). */
  readonly window: Window;
  /** True if the caller listed the columns. */
  readonly isListed: boolean;
}

const maxColumns = 24;
const maxLabelCharacters = 100;

/** The bounds of columns, also of comparisons (S-34). */
const [firstDay, lastDay] = ['1900-01-01', '2999-12-31'];

/** One window and, if comparative, the one before it (S-33). */
export function columnsOfWindow(window: Window, isComparative: boolean): ReportColumns {
  requireWindow(window, 'The period');
  const current = { ...windowIn(window), label: 'Current' };
  const prior = { ...priorOf(window), label: 'Prior' };
  if (isComparative) requireWindow(prior, 'The comparison');
  const columns = isComparative ? [current, prior] : [current];
  return { columns, window: windowIn(window), isListed: false };
}

/** The listed columns in their order (S-34). */
export function listedColumns(columns: readonly ReportColumn[]): ReportColumns {
  if (columns.length < 1 || columns.length > maxColumns) {
    throw invalidInput(`periods: list 1 to ${maxColumns} columns, not ${columns.length}.`);
  }
  const seen = new Set<string>();
  for (const column of columns) {
    const name = `The column '${column.label}'`;
    if (column.label.trim() === '') throw invalidInput('periods: give each column a label.');
    if (characterCount(column.label) > maxLabelCharacters) {
      throw invalidInput(`periods: a label has at most ${maxLabelCharacters} characters.`);
    }
    requireWindow(column, name);
    const key = `${column.start} ${column.end}`;
    if (seen.has(key)) throw invalidInput(`${name} repeats the period ${column.start} to ${column.end}. List it once.`);
    seen.add(key);
  }
  const [start = ''] = columns.map((column) => column.start).toSorted();
  const [end = ''] = columns
    .map((column) => column.end)
    .toSorted()
    .toReversed();
  return { columns, window: { start, end }, isListed: true };
}

function requireWindow({ start, end }: Window, name: string): void {
  if (end < start) throw invalidInput(`${name} ends (${end}) before it starts (${start}).`);
  if (start >= firstDay && end <= lastDay) return;
  throw invalidInput(`${name} must lie between ${firstDay} and ${lastDay}; it is ${start} to ${end}.`);
}

function windowIn({ start, end }: Window): Window {
  return { start, end };
}
