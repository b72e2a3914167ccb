import {
  type AnalyticalRow,
  maskStatement,
  type SourceTable,
  type SqlParameters,
  type StagedTable,
  StagingError,
} from '@pacioli/core/ports';
import type { WorkerTable } from './protocol.ts';

export function workerTable(table: StagedTable): WorkerTable {
  const columns = table.columns.map(({ name, type, isRequired = false }) => ({ name, type, isRequired }));
  if (table.kind === 'node') return { kind: 'node', name: table.name, key: table.key, columns, ends: [] };
  const [from, to, ...properties] = columns;
  if (from === undefined || to === undefined) throw new Error('A relationship has the keys of its ends as columns.');
  return {
    kind: 'relationship',
    name: table.name,
    key: '',
    columns: [{ ...from, name: 'src', isRequired: true }, { ...to, name: 'dst', isRequired: true }, ...properties],
    ends: [
      { end: 'from', node: table.fromNode.name, key: table.fromNode.key },
      { end: 'to', node: table.toNode.name, key: table.toNode.key },
    ],
  };
}

export function byColumn({ columns }: SourceTable, batch: readonly AnalyticalRow[]): unknown[][] {
  return columns.map(({ name }) => batch.map((row) => row[name]));
}

/** A list goes with `?` or `$1`, values by name with `$name` (graphs SQ-3). */
export function requireOneKind(text: string, parameters: SqlParameters): void {
  const { text: masked } = maskStatement(text);
  const isNamed = /\$[A-Za-z_]/.test(masked);
  const isNumbered = /\?|\$\d/.test(masked);
  if (isNamed && isNumbered)
    throw new StagingError('parameter', 'Use either $name, or ? and $1, not both in one statement.');
  if (isNamed && Array.isArray(parameters))
    throw new StagingError('parameter', 'The statement names its parameters: send them as an object.');
  if (isNumbered && !Array.isArray(parameters))
    throw new StagingError('parameter', 'The statement numbers its parameters: send them as a list.');
}
