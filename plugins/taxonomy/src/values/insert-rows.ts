import type { Transaction } from '@pacioli/core';
import { sql } from 'kysely';

const maxRowsPerStatement = 2_000;

/** A table with the type of each column; names are constants of this folder, never input. */
export interface TableShape {
  readonly name: string;
  readonly columns: Readonly<Record<string, string>>;
}

/** A row by column name; absent columns are null. */
export type RowValues = Readonly<Record<string, unknown>>;

const stamps = { created_by: 'text', created_at: 'timestamptz', updated_at: 'timestamptz' } as const;

export const taxonomyTable: TableShape = {
  name: 'taxonomy_taxonomy',
  columns: {
    graph_id: 'text',
    id: 'text',
    name: 'text',
    description: 'text',
    taxonomy_type: 'text',
    standard: 'text',
    version: 'text',
    namespace_uri: 'text',
    parent_taxonomy_id: 'text',
    source_taxonomy_id: 'text',
    target_taxonomy_id: 'text',
    is_locked: 'boolean',
    metadata: 'jsonb',
    ...stamps,
  },
};

export const elementTable: TableShape = {
  name: 'taxonomy_element',
  columns: {
    graph_id: 'text',
    id: 'text',
    taxonomy_id: 'text',
    qname: 'text',
    code: 'text',
    code_order: 'text',
    name: 'text',
    description: 'text',
    trait: 'text',
    liquidity: 'text',
    activity_type: 'text',
    sub_classification: 'text',
    balance_type: 'text',
    period_type: 'text',
    element_type: 'text',
    item_type: 'text',
    is_abstract: 'boolean',
    is_monetary: 'boolean',
    source: 'text',
    parent_id: 'text',
    depth: 'integer',
    currency: 'text',
    metadata: 'jsonb',
    ...stamps,
  },
};

export const structureTable: TableShape = {
  name: 'taxonomy_structure',
  columns: {
    graph_id: 'text',
    id: 'text',
    taxonomy_id: 'text',
    name: 'text',
    description: 'text',
    block_type: 'text',
    concept_arrangement: 'text',
    role_uri: 'text',
    metadata: 'jsonb',
    ...stamps,
  },
};

export const associationTable: TableShape = {
  name: 'taxonomy_association',
  columns: {
    graph_id: 'text',
    id: 'text',
    structure_id: 'text',
    from_element_id: 'text',
    to_element_id: 'text',
    association_type: 'text',
    arcrole: 'text',
    order_value: 'double precision',
    weight: 'double precision',
    confidence: 'double precision',
    suggested_by: 'text',
    approved_by: 'text',
    approved_at: 'timestamptz',
    metadata: 'jsonb',
    ...stamps,
  },
};

export const ruleTable: TableShape = {
  name: 'taxonomy_rule',
  columns: {
    graph_id: 'text',
    id: 'text',
    taxonomy_id: 'text',
    structure_id: 'text',
    name: 'text',
    description: 'text',
    rule_category: 'text',
    rule_pattern: 'text',
    rule_check_kind: 'text',
    expression: 'text',
    variables: 'jsonb',
    severity: 'text',
    origin: 'text',
    target_kind: 'text',
    target_id: 'text',
    message: 'text',
    metadata: 'jsonb',
    ...stamps,
  },
};

/** Writes rows with one statement per two thousand. */
export async function insertRows(tx: Transaction, table: TableShape, rows: readonly RowValues[]): Promise<void> {
  await writeRows(tx, table, rows, sql``);
}

/**
 * Writes rows that may exist, by (graph_id, id); a row whose updatable columns are equal is left untouched, so that
 * writing twice changes nothing (taxonomy LB-5).
 */
export async function upsertRows(
  tx: Transaction,
  table: TableShape,
  rows: readonly RowValues[],
  updatable: readonly string[],
): Promise<void> {
  const target = sql.table(table.name);
  const current = sql.join(updatable.map((column) => sql`${target}.${sql.ref(column)}`));
  const incoming = sql.join(updatable.map((column) => sql`excluded.${sql.ref(column)}`));
  const assignments = sql.join(
    [...updatable, 'updated_at'].map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`),
  );
  const conflict = sql`on conflict (graph_id, id) do update set ${assignments}
    where (${current}) is distinct from (${incoming})`;
  await writeRows(tx, table, rows, conflict);
}

async function writeRows(
  tx: Transaction,
  table: TableShape,
  rows: readonly RowValues[],
  conflict: ReturnType<typeof sql>,
): Promise<void> {
  const names = Object.keys(table.columns);
  const columns = sql.join(names.map((name) => sql.ref(name)));
  const types = sql.join(names.map((name) => sql`${sql.ref(name)} ${sql.raw(table.columns[name] ?? 'text')}`));
  for (let start = 0; start < rows.length; start += maxRowsPerStatement) {
    const batch = JSON.stringify(rows.slice(start, start + maxRowsPerStatement));
    await tx.query(sql`insert into ${sql.table(table.name)} (${columns})
      select ${columns} from jsonb_to_recordset(${batch}::jsonb) as incoming(${types}) ${conflict}`);
  }
}
