import { decimalOf, decimalUnits, scaleOf } from '../bundle/index.ts';
import type { ArchiveFile } from '../zip/index.ts';
import type { ShownStatement, ShownSum } from './shown-statement.ts';

/** The sum of the parts of a total and its own amount in a column, as an exact decimal; undefined for factors that are no whole numbers. */
export function sumOfParts({ rows }: ShownStatement, { parts, direct }: ShownSum, column: number): string | undefined {
  if (parts.some(({ factor }) => !Number.isInteger(factor))) return undefined;
  const amounts = [
    ...parts.map(({ row, factor }) => ({ factor, value: rows[row]?.values[column] ?? '0' })),
    { factor: 1, value: direct[column] ?? '0' },
  ];
  const scale = Math.max(0, ...amounts.map(({ value }) => scaleOf(value)));
  const sum = amounts.reduce((all, { factor, value }) => all + BigInt(factor) * decimalUnits(value, scale), 0n);
  return decimalOf(sum, scale);
}

/** The first number less the second one, exactly. */
export function difference(a: string, b: string): string {
  const scale = Math.max(scaleOf(a), scaleOf(b));
  return decimalOf(decimalUnits(a, scale) - decimalUnits(b, scale), scale);
}

const sheetPath = /^xl\/worksheets\/sheet(\d+)\.xml$/;
const formulaEnd = '</f>';

/**
 * Adds the result of each formula to its cell, because viewers without calculation show nothing else. `results` has the
 * formulas of each sheet in the order of their cells. The writer of workbooks has no option for it.
 */
export function withResults({ path, content }: ArchiveFile, results: readonly (readonly string[])[]): ArchiveFile {
  const [, number] = sheetPath.exec(path) ?? [];
  if (number === undefined) return { path, content };
  const own = results[Number(number) - 1] ?? [];
  const parts = Buffer.from(content).toString('utf8').split(formulaEnd);
  if (parts.length !== own.length + 1) {
    throw new Error(`The sheet ${path} has ${parts.length - 1} formulas, and ${own.length} results.`);
  }
  const text = parts.map((part, index) => (index === 0 ? part : `${formulaEnd}<v>${own[index - 1]}</v>${part}`));
  return { path, content: Buffer.from(text.join(''), 'utf8') };
}
