import type { Transaction } from './store.ts';

/**
 * Analytical types are data: DDL, the schema read, the binding of queries and the columns of a bulk load
 * all derive from these definitions (graphs 6, E-3).
 *
 * An example of a node and a relationship, each with its rows:
 *
 * ```ts
 * // plugins/ledger/src/analytical/Entry.ts
 * export const Entry = defineNode('Entry', {
 *   extension: 'ledger',
 *   properties: { number: 'STRING', memo: 'STRING', posting_date: 'DATE', status: 'STRING' },
 *   rows: ({ tx }) =>
 *     tx.stream(
 *       sql<{ identifier: string; number: string; memo: string | null; posting_date: string; status: string }>`
 *         SELECT entry_id AS identifier, number, memo, posting_date, status FROM ledger_entry`,
 *       5_000,
 *     ),
 * });
 *
 * // plugins/ledger/src/analytical/ENTRY_HAS_LINE_ITEM.ts
 * export const ENTRY_HAS_LINE_ITEM = defineRelationship('ENTRY_HAS_LINE_ITEM', Entry, LineItem, {
 *   extension: 'ledger',
 *   rows: ({ tx }) =>
 *     tx.stream(sql<{ from: string; to: string }>`SELECT entry_id AS "from", line_item_id AS "to" FROM ledger_line_item`, 5_000),
 * });
 * ```
 */
export type PropertyType = 'STRING' | 'INT32' | 'INT64' | 'DOUBLE' | 'BOOLEAN' | 'DATE' | 'TIMESTAMP';

/** Property name to type, in the order of the columns (column order is part of the schema). */
export type Properties = Readonly<Record<string, PropertyType>>;

/** DATE is `YYYY-MM-DD`, TIMESTAMP is RFC 3339 in UTC; both are text, so that no time zone can shift them. */
export type PropertyValue<T extends PropertyType> = T extends 'STRING' | 'DATE' | 'TIMESTAMP'
  ? string
  : T extends 'BOOLEAN'
    ? boolean
    : T extends 'INT64'
      ? number | bigint
      : number;

/** Any value of a bulk load; undefined counts as null. */
export type AnalyticalValue = string | number | bigint | boolean | null | undefined;

/** One row to load into the graph, by column name. */
export type AnalyticalRow = Readonly<Record<string, AnalyticalValue>>;

/** The source of rows: one read-only transaction of the tenant, the same snapshot for every table of a load. */
export interface AnalyticalSource {
  readonly graphId: string;
  readonly tx: Transaction;
}

/** Rows in batches, pulled one at a time, so that no table is loaded into memory. */
export type RowBatches<R> = AsyncIterable<readonly R[]>;

type PropertyRow<P extends Properties> = { readonly [K in keyof P]: PropertyValue<P[K]> | null };

/** A row of a node: its tenant-unique key and every property. */
export type NodeRow<P extends Properties> = { readonly identifier: string } & PropertyRow<P>;

/** A row of a relationship: the keys of both ends and every property. */
export type RelationshipRow<P extends Properties> = { readonly from: string; readonly to: string } & PropertyRow<P>;

/**
 * The type of a column in upper case: a PropertyType, or in the schema of a generic graph any type of graphs CS-1, such
 * as `UINT8`, `DECIMAL(18,2)`, `STRING[]` or `MAP(STRING, INT64)`.
 */
export type ColumnType = string;

export interface AnalyticalColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** True if a row without a value is refused when it is staged. */
  readonly isRequired?: boolean;
  readonly description?: string;
}

interface AnalyticalTable {
  readonly name: string;
  readonly summary?: string;
  /** `base`, the domain whose graphs have this table (graphs SC-20), or `custom` for the schema of a generic graph. */
  readonly extension: string;
  /** Further domains whose graphs have this table, such as those that only receive reports. */
  readonly alternativeExtensions?: readonly string[];
  /** The columns of a bulk load, by position; those of a relationship begin with `from` and `to`. */
  readonly columns: readonly AnalyticalColumn[];
  /** Absent if the table is declared but not projected. */
  readonly rows?: (source: AnalyticalSource) => RowBatches<AnalyticalRow>;
}

/** A node type with its types erased, as the kernel uses it. */
export interface AnalyticalNode extends AnalyticalTable {
  readonly kind: 'node';
  /** The column with the primary key: `identifier`, or another one in the schema of a generic graph. */
  readonly key: string;
}

/** A relationship type with its types erased, as the kernel uses it; `from` and `to` are names of nodes. */
export interface AnalyticalRelationship extends AnalyticalTable {
  readonly kind: 'relationship';
  readonly from: string;
  readonly to: string;
}

/** The analytical types of a deployment, or of one graph. */
export interface AnalyticalSchema {
  readonly nodes: readonly AnalyticalNode[];
  readonly relationships: readonly AnalyticalRelationship[];
}

interface TableSpec<P extends Properties, R> {
  readonly summary?: string;
  readonly extension?: string;
  readonly alternativeExtensions?: readonly string[];
  readonly properties?: P;
  readonly rows?: (source: AnalyticalSource) => RowBatches<R>;
}

const namePattern = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

function columnsOf(owner: string, keys: readonly string[], properties: Properties): readonly AnalyticalColumn[] {
  const columns = keys.map((name): AnalyticalColumn => ({ name, type: 'STRING' }));
  for (const [name, type] of Object.entries(properties)) {
    if (!namePattern.test(name) || keys.includes(name))
      throw new Error(`${owner} cannot have a property called ${name}`);
    columns.push({ name, type });
  }
  return Object.freeze(columns);
}

function tableOf(name: string, keys: readonly string[], spec: TableSpec<Properties, never>): AnalyticalTable {
  if (!namePattern.test(name)) throw new Error(`${name} cannot be the name of an analytical type`);
  return {
    name,
    extension: spec.extension ?? 'base',
    columns: columnsOf(name, keys, spec.properties ?? {}),
    ...(spec.summary === undefined ? {} : { summary: spec.summary }),
    ...(spec.alternativeExtensions === undefined ? {} : { alternativeExtensions: spec.alternativeExtensions }),
    ...(spec.rows === undefined ? {} : { rows: spec.rows }),
  };
}

/** Defines a node type; `identifier` is added as its key. */
export function defineNode<const P extends Properties = Record<never, never>>(
  name: string,
  spec: TableSpec<P, NodeRow<P>>,
): AnalyticalNode {
  // The signature checked the rows against the properties; the kernel uses the erased form.
  return Object.freeze({
    kind: 'node',
    key: 'identifier',
    ...tableOf(name, ['identifier'], spec as unknown as TableSpec<Properties, never>),
  });
}

/** Defines a relationship type between two node types; `from` and `to` hold the identifiers of its ends. */
export function defineRelationship<const P extends Properties = Record<never, never>>(
  name: string,
  from: AnalyticalNode,
  to: AnalyticalNode,
  spec: TableSpec<P, RelationshipRow<P>> = {},
): AnalyticalRelationship {
  const table = tableOf(name, ['from', 'to'], spec as unknown as TableSpec<Properties, never>); // Erased, as above.
  return Object.freeze({ kind: 'relationship', ...table, from: from.name, to: to.name });
}

/** Selects the types of base and of a graph's extensions, in declared order (graphs SC-20). */
export function schemaForGraph(schema: AnalyticalSchema, extensions: readonly string[]): AnalyticalSchema {
  const has = ({ extension, alternativeExtensions = [] }: AnalyticalTable): boolean =>
    extension === 'base' || [extension, ...alternativeExtensions].some((each) => extensions.includes(each));
  const nodes = schema.nodes.filter(has);
  const names = new Set(nodes.map((node) => node.name));
  const relationships = schema.relationships.filter(
    (table) => has(table) && names.has(table.from) && names.has(table.to),
  );
  return { nodes, relationships };
}
