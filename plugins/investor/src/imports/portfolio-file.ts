import { maxLongChars, maxNameChars, maxShortChars } from '../values/index.ts';
import {
  readAmount,
  readCik,
  readCount,
  readCurrency,
  readObject,
  readPastDate,
  readQuantity,
  readQuantityType,
  readText,
} from './cells.ts';
import { type ColumnName, describingColumns, isColumn } from './columns.ts';
import { type CsvRow, parseCsv } from './csv.ts';
import { type RowProblem, RowReader } from './row-reader.ts';

/** A security that a row describes. */
export interface DescribedSecurity {
  readonly name: string;
  readonly type: string;
  readonly subtype: string | null;
  readonly entityId: string | null;
  readonly issuerName: string | null;
  readonly issuerCik: string | null;
  readonly sourceGraphId: string | null;
  readonly terms: Readonly<Record<string, unknown>>;
  readonly authorizedShares: number | null;
  readonly outstandingShares: number | null;
}

/** A position of the file. Amounts are hundredths of the currency (I-8); null stands for an empty cell. */
export interface FilePosition {
  readonly quantity: string;
  readonly quantityType: string | null;
  readonly costBasis: number;
  readonly currency: string | null;
  readonly currentValue: number | null;
  readonly valuationDate: string | null;
  readonly valuationSource: string | null;
  readonly acquisitionDate: string | null;
  readonly notes: string | null;
}

/** A row whose cells have the right form; its security is an id or a description. */
export interface FileRow {
  readonly row: number;
  readonly security: string | DescribedSecurity;
  readonly position: FilePosition;
}

export interface PortfolioFile {
  readonly rows: readonly FileRow[];
  /** In the order of the file. */
  readonly problems: readonly RowProblem[];
}

/** Limits of a file; the first is that of a text in memory, the second keeps the one transaction short. */
export const maxFileBytes = 16 * 1_048_576;
export const maxFileRows = 5_000;

const maxTypeChars = 60;
const maxSubtypeChars = 100;
const maxIdChars = 100;
const identifiers = ['ticker', 'isin', 'cusip', 'figi'] as const;

/** Reads a file of positions. The rows have the right form; what they refer to is not looked up. */
export function readPortfolioFile(text: string, today: string): PortfolioFile {
  const csv = parseCsv(text);
  if ('problem' in csv) return whole(csv.problem, csv.row);
  const [head, ...body] = csv.rows;
  if (head === undefined) return whole('The file is empty. Its first row has the names of the columns.');
  if (body.length === 0)
    return whole('The file has no positions. Write one in each row below the names of the columns.');
  if (body.length > maxFileRows)
    return whole(`The file has ${body.length} positions. Split it: the limit is ${maxFileRows}.`);
  const names = head.cells.map((cell) => cell.trim().toLowerCase());
  const problem = problemOfNames(names);
  if (problem !== undefined) return whole(problem);
  const columns = names.filter(isColumn);
  const read = body.map((row) => readRow(row, columns, today));
  return {
    rows: read.flatMap(({ row }) => (row === undefined ? [] : [row])),
    problems: read.flatMap(({ problems }) => problems),
  };
}

const whole = (message: string, row = 1): PortfolioFile => ({ rows: [], problems: [{ row, column: null, message }] });

function problemOfNames(names: readonly string[]): string | undefined {
  const unnamed = names.indexOf('');
  if (unnamed >= 0) return `Column ${unnamed + 1} has no name. Name it, or remove it.`;
  const unknown = names.find((name) => !isColumn(name));
  if (unknown !== undefined) {
    const hint =
      names.length === 1 && /[;\t]/.test(unknown) ? 'Separate columns by commas.' : 'See --help for the names.';
    return `There is no column '${unknown.slice(0, 40)}'. ${hint}`;
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `The column ${twice} appears twice. Remove one of them.`;
  return names.includes('quantity') ? undefined : 'The column quantity is missing. See --help for the columns.';
}

function readRow(
  { row, cells }: CsvRow,
  columns: readonly ColumnName[],
  today: string,
): { readonly row?: FileRow; readonly problems: readonly RowProblem[] } {
  const reader = new RowReader(row, new Map(columns.map((column, index) => [column, (cells[index] ?? '').trim()])));
  if (cells.length > columns.length)
    reader.reject(null, `The row has ${cells.length} cells for ${columns.length} columns. Quote cells with commas.`);
  const security = readSecurity(reader);
  const position = readPosition(reader, today);
  if (reader.problems.length > 0 || security === null || position === null) return { problems: reader.problems };
  return { row: { row, security, position }, problems: [] };
}

function readSecurity(reader: RowReader): string | DescribedSecurity | null {
  if (reader.has('security_id')) {
    for (const column of describingColumns.filter((each) => reader.has(each)))
      reader.reject(column, 'The row has a security_id. Empty one of the two cells.');
    return reader.optional('security_id', (cell) => readText(cell, maxIdChars));
  }
  const name = reader.required('security_name', (cell) => readText(cell, maxNameChars));
  const type = reader.required('security_type', (cell) => readText(cell, maxTypeChars));
  if (reader.has('entity_id') && (reader.has('issuer_name') || reader.has('issuer_cik')))
    reader.reject('entity_id', 'The row names its issuer twice. Empty one of the cells.');
  const rest = {
    subtype: reader.optional('security_subtype', (cell) => readText(cell, maxSubtypeChars)),
    entityId: reader.optional('entity_id', (cell) => readText(cell, maxIdChars)),
    issuerName: reader.optional('issuer_name', (cell) => readText(cell, maxNameChars)),
    issuerCik: reader.optional('issuer_cik', readCik),
    sourceGraphId: reader.optional('source_graph_id', (cell) => readText(cell, maxIdChars)),
    terms: readTerms(reader),
    authorizedShares: reader.optional('authorized_shares', readCount),
    outstandingShares: reader.optional('outstanding_shares', readCount),
  };
  return name === null || type === null ? null : { name, type, ...rest };
}

/** The terms of the cell with its name, and the identifiers that have columns of their own. */
function readTerms(reader: RowReader): Readonly<Record<string, unknown>> {
  const stated = reader.optional('terms', readObject) ?? {};
  const own = identifiers.flatMap((column) => {
    const value = reader.optional(column, (cell) => readText(cell, maxNameChars));
    if (value !== null && Object.hasOwn(stated, column))
      reader.reject(column, `The terms have ${column}, too. Keep one of them.`);
    return value === null ? [] : [[column, value] as const];
  });
  return { ...stated, ...Object.fromEntries(own) };
}

function readPosition(reader: RowReader, today: string): FilePosition | null {
  const quantity = reader.required('quantity', readQuantity);
  const rest = {
    quantityType: reader.optional('quantity_type', readQuantityType),
    costBasis: reader.optional('cost_basis', readAmount) ?? 0,
    currency: reader.optional('currency', readCurrency),
    currentValue: reader.optional('current_value', readAmount),
    valuationDate: reader.optional('valuation_date', (cell) => readPastDate(cell, today)),
    valuationSource: reader.optional('valuation_source', (cell) => readText(cell, maxShortChars)),
    acquisitionDate: reader.optional('acquisition_date', (cell) => readPastDate(cell, today)),
    notes: reader.optional('notes', (cell) => readText(cell, maxLongChars)),
  };
  return quantity === null ? null : { quantity, ...rest };
}
