/** A row of a file of comma-separated values. */
export interface CsvRow {
  /** As spreadsheets count: the row of the names is 1. Empty rows count and are left out. */
  readonly row: number;
  readonly cells: readonly string[];
}

/** The rows, or the reason why the text is not a file of comma-separated values. */
export type Csv = { readonly rows: readonly CsvRow[] } | { readonly row: number; readonly problem: string };

/**
 * Reads comma-separated values by RFC 4180: cells with commas, quotes or line breaks stand in double quotes, and a quote
 * inside them is doubled. A byte order mark is skipped.
 */
export function parseCsv(text: string): Csv {
  const rows: CsvRow[] = [];
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  let [position, row] = [0, 0];
  while (position < source.length) {
    row += 1;
    const cells: string[] = [];
    for (let ended = false; !ended; ) {
      const cell = cellAt(source, position);
      if ('problem' in cell) return { row, problem: cell.problem };
      cells.push(cell.value);
      position = cell.next;
      ended = source[position] !== ',';
      position += ended ? lineBreakAt(source, position) : 1;
    }
    if (cells.some((cell) => cell.trim() !== '')) rows.push({ row, cells });
  }
  return { rows };
}

type Cell = { readonly value: string; readonly next: number } | { readonly problem: string };

/** Matches at its `lastIndex` only, so that a file of any size is read once. */
const plainCell = /[^,\r\n"]*/y;

function cellAt(source: string, start: number): Cell {
  const isQuoted = source[start] === '"';
  const next = isQuoted ? endOfQuoted(source, start) : endOfPlain(source, start);
  if (next === undefined)
    return { problem: 'A quote is not closed. End the cell with a quote, and double those inside it.' };
  const after = source[next];
  if (after !== undefined && !',\r\n'.includes(after))
    return { problem: 'A cell with quotes must begin and end with one. Double the quotes inside it.' };
  const value = isQuoted ? source.slice(start + 1, next - 1).replaceAll('""', '"') : source.slice(start, next);
  return { value, next };
}

function endOfPlain(source: string, start: number): number {
  plainCell.lastIndex = start;
  plainCell.test(source);
  return plainCell.lastIndex;
}

/** The place after the closing quote; undefined without one. */
function endOfQuoted(source: string, start: number): number | undefined {
  for (let quote = source.indexOf('"', start + 1); quote >= 0; quote = source.indexOf('"', quote + 2)) {
    if (source[quote + 1] !== '"') return quote + 1;
  }
  return undefined;
}

/** The length of the line break; 0 at the end of the text. */
function lineBreakAt(source: string, position: number): number {
  if (source.startsWith('\r\n', position)) return 2;
  return position < source.length ? 1 : 0;
}
