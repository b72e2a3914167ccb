import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { MigrationSet, Store, TableDeclarations } from '@pacioli/core/ports';

/** A plugin's table, a kernel table and a parent table, with the policies that every plugin's migration creates. */
const tablesSql = `
CREATE TABLE suite_parent (id integer PRIMARY KEY);
INSERT INTO suite_parent VALUES (1);
${ofKernel('suite_parent')}
CREATE TABLE suite_row (
  graph_id text NOT NULL,
  id integer NOT NULL,
  amount_cents bigint NOT NULL DEFAULT 0 CONSTRAINT suite_row_not_negative CHECK (amount_cents >= 0),
  parent_id integer REFERENCES suite_parent (id),
  day date,
  rate numeric(20, 4),
  at timestamptz,
  payload jsonb,
  labels text[],
  PRIMARY KEY (graph_id, id)
);
${ofGraph('suite_row')}
CREATE TABLE suite_secret (id integer PRIMARY KEY);
INSERT INTO suite_secret VALUES (1);
${ofKernel('suite_secret')}
`;

export const suiteTables: TableDeclarations = {
  tables: { suite_parent: { rows: 'kernel' }, suite_secret: { rows: 'kernel' } },
};

/** The statements that restrict the rows of a table to the scope of their graph. */
export function ofGraph(table: string): string {
  return `${forced(table)} CREATE POLICY own_graph ON ${table} USING (graph_id = current_setting('pacioli.graph_id', true));`;
}

/** The statements that restrict the rows of a table to the scope of the kernel. */
export function ofKernel(table: string): string {
  return `${forced(table)} CREATE POLICY kernel_scope ON ${table} USING (current_setting('pacioli.scope', true) = 'kernel');`;
}

function forced(table: string): string {
  return `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY; ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;`;
}

/** The rows as the typed builder sees them. */
export interface SuiteTables {
  readonly suite_row: {
    readonly graph_id: string;
    readonly id: number;
    readonly amount_cents: number;
  };
}

/** Runs `work` with a set of migrations made of `files`, in a temporary folder. */
export async function withMigrations<T>(
  owner: string,
  files: Readonly<Record<string, string>>,
  work: (set: MigrationSet) => Promise<T>,
  declared: TableDeclarations = {},
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'pacioli-migrations-'));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    return await work({ owner, folder: pathToFileURL(`${folder}/`), ...declared });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function createSuiteTables(store: Store): Promise<void> {
  await withMigrations('suite', { '0001-tables.sql': tablesSql }, (set) => store.migrate([set]), suiteTables);
}
