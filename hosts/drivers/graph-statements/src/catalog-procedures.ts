import { type CatalogTable, maskStatement } from '@pacioli/core/ports';

/** The catalog procedures of other engines that statements may call here (graphs Q-53), in lower case. */
export const portableProcedures = [
  'db.labels',
  'db.relationshiptypes',
  'db.propertykeys',
  'db.indexes',
  'db.constraints',
  'db.schema',
] as const;

type PortableProcedure = (typeof portableProcedures)[number];

/** Rows of texts, by column. */
type Rows = readonly Readonly<Record<string, string>>[];

const catalogCall =
  /(?<![\w$.])CALL\s+(db\.\w+)\s*\(\s*\)(?:\s+YIELD\s+(.*?)(?=\s+(?:WHERE|RETURN|WITH|MATCH|UNWIND|OPTIONAL|ORDER)\b|\s*;?\s*$))?/is;
/** True for a statement in which `portableStatement` needs the catalog. */
export const callsCatalog = (text: string): boolean => catalogCall.test(maskStatement(text).text);

/**
 * Replaces the call of a catalog procedure by a list of what the catalog has, so that every engine gives the same answer,
 * also for empty tables. Columns keep the names that the caller's text gives them.
 */
export function listCatalog(text: string, catalog: readonly CatalogTable[]): string {
  const found = catalogCall.exec(maskStatement(text).text);
  return found === null ? text : withList(text, found, catalog);
}

function withList(text: string, found: RegExpExecArray, catalog: readonly CatalogTable[]): string {
  const procedure = (found[1] ?? '').toLowerCase();
  if (!isPortable(procedure)) return text;
  const { columns, rows } = listOf(procedure, catalog);
  const before = text.slice(0, found.index);
  const after = text.slice(found.index + found[0].length);
  const yielded = found[2] === undefined ? columns.join(', ') : text.slice(...span(found));
  const fields = columns.map((column) => `row.${column} AS ${column}`).join(', ');
  const end = /^\s*;?\s*$/.test(after) ? ` RETURN ${namesOf(yielded)}` : '';
  return `${before}${source(columns, rows)} WITH ${fields} WITH ${yielded}${end}${after}`;
}

/** The position of the YIELD items in the statement. */
function span(found: RegExpExecArray): [number, number] {
  const from = found.index + found[0].length - (found[2] ?? '').length;
  return [from, from + (found[2] ?? '').length];
}

/** The names after AS, or the items themselves. */
const namesOf = (items: string): string =>
  items
    .split(',')
    .map((item) =>
      item
        .trim()
        .split(/\s+AS\s+/i)
        .at(-1),
    )
    .join(', ');

/** A list of records; an empty one needs a row to have a type, which is then left out. */
function source(columns: readonly string[], rows: Rows): string {
  const isEmpty = rows.length === 0;
  const listed = isEmpty ? [Object.fromEntries(columns.map((column) => [column, '']))] : rows;
  const records = listed.map(
    (row) => `{${columns.map((column) => `${column}: ${quoted(row[column] ?? '')}`).join(', ')}}`,
  );
  return `UNWIND [${records.join(', ')}] AS row${isEmpty ? ' WITH row WHERE false' : ''}`;
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const isPortable = (name: string): name is PortableProcedure =>
  (portableProcedures as readonly string[]).includes(name);

function listOf(
  procedure: PortableProcedure,
  catalog: readonly CatalogTable[],
): { readonly columns: readonly string[]; readonly rows: Rows } {
  const nodes = catalog.filter(({ kind }) => kind === 'node');
  const relationships = catalog.filter(({ kind }) => kind === 'relationship');
  const keys = nodes.flatMap(({ name, key }) =>
    key === undefined ? [] : [{ name: `${name}_${key}`, label: name, property: key }],
  );
  switch (procedure) {
    case 'db.labels':
      return { columns: ['label'], rows: nodes.map(({ name }) => ({ label: name })) };
    case 'db.relationshiptypes':
      return { columns: ['relationshipType'], rows: relationships.map(({ name }) => ({ relationshipType: name })) };
    case 'db.propertykeys': {
      const names = new Set(catalog.flatMap(({ columns }) => columns.map(({ name }) => name)));
      return { columns: ['propertyKey'], rows: [...names].sort().map((propertyKey) => ({ propertyKey })) };
    }
    case 'db.indexes':
      return {
        columns: ['name', 'label', 'property', 'type'],
        rows: keys.map((key) => ({ ...key, type: 'PRIMARY KEY' })),
      };
    case 'db.constraints':
      return {
        columns: ['name', 'label', 'property', 'type'],
        rows: keys.map((key) => ({ ...key, type: 'UNIQUENESS' })),
      };
    case 'db.schema':
      return {
        columns: ['kind', 'name', 'property', 'type'],
        rows: catalog.flatMap(({ kind, name, columns }) =>
          columns.length === 0
            ? [{ kind, name, property: '', type: '' }]
            : columns.map((column) => ({ kind, name, property: column.name, type: column.type })),
        ),
      };
  }
}
