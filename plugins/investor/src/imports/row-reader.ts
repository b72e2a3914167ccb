import type { Read } from './cells.ts';
import type { ColumnName } from './columns.ts';

/** A problem of a row of the file. */
export interface RowProblem {
  readonly row: number;
  /** Null for a problem of the whole row. */
  readonly column: ColumnName | null;
  readonly message: string;
}

const nullCharacter = 'The cell has the character U+0000, which cannot be stored. Remove it.';

/** Reads the cells of one row and collects what is wrong with them. */
export class RowReader {
  readonly problems: RowProblem[] = [];
  readonly #row: number;
  readonly #cells: ReadonlyMap<ColumnName, string>;

  constructor(row: number, cells: ReadonlyMap<ColumnName, string>) {
    this.#row = row;
    this.#cells = cells;
  }

  has(column: ColumnName): boolean {
    return (this.#cells.get(column) ?? '') !== '';
  }

  reject(column: ColumnName | null, message: string): void {
    this.problems.push({ row: this.#row, column, message });
  }

  /** The value of a cell; null for an empty cell and for one that is wrong. */
  optional<T>(column: ColumnName, read: (cell: string) => Read<T>): T | null {
    const cell = this.#cells.get(column) ?? '';
    if (cell === '') return null;
    const result = cell.includes('\0') ? { problem: nullCharacter } : read(cell);
    if (!('problem' in result)) return result.value;
    this.reject(column, result.problem);
    return null;
  }

  /** The value of a cell that must not be empty; null when it is empty or wrong. */
  required<T>(column: ColumnName, read: (cell: string) => Read<T>): T | null {
    if (!this.has(column)) this.reject(column, 'The cell is empty. Fill it in.');
    return this.optional(column, read);
  }
}
