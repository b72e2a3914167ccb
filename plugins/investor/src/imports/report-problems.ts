import type { RowProblem } from './row-reader.ts';

/** Limit of the rows that are described one by one. */
const maxShownRows = 100;

/** One line for each row that is wrong, in the order of the file, with all that is wrong in it. */
export function problemLines(problems: readonly RowProblem[]): readonly string[] {
  const byRow = new Map<number, string[]>();
  for (const { row, column, message } of problems)
    byRow.set(row, [...(byRow.get(row) ?? []), column === null ? message : `${column}: ${message}`]);
  const rows = [...byRow].sort(([a], [b]) => a - b);
  const lines = rows.slice(0, maxShownRows).map(([row, messages]) => `Row ${row}: ${messages.join(' ')}`);
  const rest = rows.length - lines.length;
  return rest === 0 ? lines : [...lines, `… and ${rest} more rows.`];
}
