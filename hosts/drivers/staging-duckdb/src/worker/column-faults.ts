import type { DuckDBConnection } from '@duckdb/node-api';
import type { ColumnFault } from '@pacioli/core/ports';
import { isScalar, quoted } from '@pacioli/worker-process/duckdb-text';
import type { WorkerTable } from '../protocol.ts';
import { castOf } from './casts.ts';
import { visible } from './column-names.ts';
import { WorkerFailure } from './failure.ts';
import { rowsOf } from './rows.ts';
import { type GivenColumn, incoming } from './upload.ts';

const maxExamples = 5;
const maxShownCharacters = 200;

/** Ends of relationships in files, with the names that files may use instead (graphs T-4). */
const synonyms: ReadonlyMap<string, readonly string[]> = new Map([
  ['src', ['from', 'src']],
  ['dst', ['to', 'dst']],
]);

/** The column of the file for each declared one that it has. */
export type ColumnMapping = Readonly<Record<string, GivenColumn>>;

/** Columns match by name; names that differ in case only are the same. */
export function columnMapping(table: WorkerTable, given: readonly GivenColumn[]): ColumnMapping {
  const byName = new Map(given.map((column) => [column.name.toLowerCase(), column]));
  // Without a prototype: a column may be called `constructor`.
  const mapping: Record<string, GivenColumn> = Object.create(null);
  for (const { name } of table.columns) {
    const names = (table.kind === 'relationship' ? synonyms.get(name) : undefined) ?? [name];
    const [found, other] = names.flatMap((each) => byName.get(each.toLowerCase()) ?? []);
    if (found !== undefined && other !== undefined)
      throw new WorkerFailure(
        'unreadable-file',
        `The file has the columns ${found.name} and ${other.name}, which mean the same: keep one of them.`,
      );
    if (found !== undefined) mapping[name] = found;
  }
  return mapping;
}

/** The condition of a value with U+0000 in a text; of JSON also in its declared type, where an escape becomes one. */
function hasNullCharacter(value: string, given: string, cast?: string): string | undefined {
  if (!/VARCHAR|JSON|ENUM|UNION|VARIANT/.test(given)) return undefined;
  const inText = `contains(CAST(${value} AS VARCHAR), chr(0))`;
  const inCast = `CASE WHEN contains(${value}, '\\u0000') THEN contains(CAST(${cast} AS VARCHAR), chr(0)) END`;
  return cast === undefined || given !== 'VARCHAR' ? inText : `coalesce(${inText} OR ${inCast}, false)`;
}

/** Throws with all faults of all columns, also of those that the table does not declare (graphs T-6). */
export async function requireValid(
  connection: DuckDBConnection,
  table: WorkerTable,
  mapping: ColumnMapping,
  extraColumns: readonly GivenColumn[],
): Promise<void> {
  const faults: ColumnFault[] = [];
  for (const column of table.columns) {
    const given = mapping[column.name];
    if (given === undefined) {
      if (column.isRequired) faults.push({ column: column.name, reason: 'missing-column', count: 1, examples: [] });
      continue;
    }
    const value = quoted(given.name);
    const cast = castOf(value, column.type, given.type);
    const condition = hasNullCharacter(value, given.type, isScalar(column.type) ? undefined : cast);
    faults.push(...(await faultsOf(connection, { column: column.name, reason: 'null-character', condition, value })));
    const doesNotFit = `${value} IS NOT NULL AND ${cast} IS NULL`;
    faults.push(...(await faultsOf(connection, { column: column.name, reason: 'cast', condition: doesNotFit, value })));
    if (!column.isRequired) continue;
    const isMissing = { column: column.name, reason: 'null', condition: `${value} IS NULL`, value } as const;
    faults.push(...(await faultsOf(connection, isMissing)));
  }
  for (const { name, type } of extraColumns) {
    const value = quoted(name);
    const condition = hasNullCharacter(value, type);
    faults.push(...(await faultsOf(connection, { column: name, reason: 'null-character', condition, value })));
  }
  if (faults.length === 0) return;
  const [first] = faults;
  const example = first?.examples[0];
  const where = example === undefined ? '' : ` (first in row ${example.row}: ${example.value ?? 'no value'})`;
  const types = new Map(table.columns.map(({ name, type }) => [name, type]));
  const message = faults.map((fault) => `${fault.column}: ${meaningOf(fault, types.get(fault.column))}`).join('; ');
  throw new WorkerFailure('rejected-rows', `${table.name}: ${message}${where}.`, faults);
}

async function faultsOf(
  connection: DuckDBConnection,
  {
    column,
    reason,
    condition,
    value,
  }: Pick<ColumnFault, 'column' | 'reason'> & { readonly condition: string | undefined; readonly value: string },
): Promise<readonly ColumnFault[]> {
  if (condition === undefined) return [];
  const [[count] = []] = await rowsOf(connection, `SELECT count(*) FROM ${incoming} WHERE ${condition}`);
  if (Number(count) === 0) return [];
  const rows = await rowsOf(
    connection,
    `SELECT _file_row, CAST(${value} AS VARCHAR) FROM ${incoming} WHERE ${condition}
      ORDER BY _file_row LIMIT ${maxExamples}`,
  );
  const examples = rows.map(([row, text]) => ({
    row: Number(row),
    value: text === null ? null : visible(String(text)).slice(0, maxShownCharacters),
  }));
  return [{ column, reason, count: Number(count), examples }];
}

function meaningOf({ reason, count }: ColumnFault, type = ''): string {
  if (reason === 'missing-column') return 'the file has no such column';
  if (reason === 'null-character')
    return `${count} ${count === 1 ? 'value' : 'values'} with the character U+0000, which no graph keeps`;
  const [what, many] = reason === 'cast' ? misfitOf(type) : ['row without a value', 'rows without a value'];
  return `${count} ${count === 1 ? what : many}`;
}

/** For one value and for several. */
function misfitOf(type: string): readonly [string, string] {
  if (type === 'FLOAT' || type === 'DOUBLE')
    return ['value that is not a finite number', 'values that are not finite numbers'];
  if (type === 'STRING') return ['value that is no text in UTF-8', 'values that are no texts in UTF-8'];
  const also = [
    ...(/\b(?:FLOAT|DOUBLE)\b/.test(type) ? [', or with a number that is not a finite number'] : []),
    ...(/\bINT\d+\b/.test(type) ? [', or the smallest number of the type, which a graph cannot keep'] : []),
    ...(/\b(?:DATE|TIMESTAMP)\b/.test(type) ? [', or of a year that is not one of 1 to 9999'] : []),
  ].join('');
  return [`value of another type${also}`, `values of another type${also}`];
}
