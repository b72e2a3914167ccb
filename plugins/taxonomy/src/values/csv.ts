/** One row of a CSV file: the cell of each header name. */
export type CsvRow = Readonly<Record<string, string>>;

interface ScannedCell {
  readonly text: string;
  readonly next: number;
}

/** Parses RFC 4180 text with a header row; throws with file and line when a row has another width than the header. */
export function parseCsv(text: string, fileName: string): readonly CsvRow[] {
  const [header, ...lines] = scanLines(text);
  if (header === undefined) throw new Error(`${fileName} is empty; its first row must name the columns.`);
  return lines.map((cells, index) => {
    if (cells.length !== header.length) {
      throw new Error(`${fileName}, row ${index + 2}: ${cells.length} cells where the header has ${header.length}.`);
    }
    return Object.fromEntries(header.map((name, column) => [name, cells[column] ?? '']));
  });
}

function scanLines(text: string): readonly (readonly string[])[] {
  const lines: string[][] = [];
  let cells: string[] = [];
  let position = 0;
  while (position < text.length) {
    const cell = text[position] === '"' ? quotedCell(text, position) : plainCell(text, position);
    cells.push(cell.text);
    position = cell.next;
    if (text[position] === ',') {
      position += 1;
      // A comma before a line end opens one more, empty, cell.
      if (position === text.length || text[position] === '\n' || text[position] === '\r') cells.push('');
      else continue;
    }
    lines.push(cells);
    cells = [];
    if (text[position] === '\r') position += 1;
    if (text[position] === '\n') position += 1;
  }
  return lines;
}

function plainCell(text: string, start: number): ScannedCell {
  let end = start;
  while (end < text.length && text[end] !== ',' && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return { text: text.slice(start, end), next: end };
}

function quotedCell(text: string, start: number): ScannedCell {
  let value = '';
  let position = start + 1;
  while (position < text.length) {
    if (text[position] !== '"') {
      value += text[position];
      position += 1;
    } else if (text[position + 1] === '"') {
      value += '"';
      position += 2;
    } else {
      return { text: value, next: position + 1 };
    }
  }
  throw new Error('A quoted CSV cell is not closed.');
}
