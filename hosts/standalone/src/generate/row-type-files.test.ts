import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrationSets } from '@pacioli/core/assembly';
import { openTestStore } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foreignTables } from '../../../../scripts/foreign-tables.ts';
import { rowTypeFiles, tablePackageIn } from './row-type-files.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'pacioli-row-type-files-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Writes the folder of a plugin with one table. */
async function writePlugin(name: string, table: string): Promise<string> {
  const folder = join(root, name);
  await mkdir(join(folder, 'src', 'migrations'), { recursive: true });
  const plugin = `{ name: '${name}', dependsOn: [], migrations: new URL('./migrations/', import.meta.url) }`;
  await writeFile(join(folder, 'src', 'plugin.ts'), `export default ${plugin};\n`);
  await writeFile(
    join(folder, 'src', 'migrations', '0001-init.sql'),
    `CREATE TABLE ${table} (graph_id text NOT NULL, id text NOT NULL, PRIMARY KEY (graph_id, id));
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY own_graph ON ${table} USING (graph_id = current_setting('pacioli.graph_id', true));`,
  );
  return folder;
}

describe('rowTypeFiles', () => {
  it('gives a table to the plugin with the longest prefix of its name (platform X-5)', async () => {
    const packages = [await writePlugin('close', 'close_run'), await writePlugin('close-tools', 'close_tools_run')];
    const tables = (await Promise.all(packages.map(tablePackageIn))).filter((each) => each !== undefined);
    const { store, dispose } = await openTestStore();
    await store.migrate(migrationSets(tables.map(({ plugin }) => plugin)));
    const files = await rowTypeFiles(store, tables).finally(dispose);
    const tablesOf = (index: number) => [...new Set(files[index]?.columns.map(({ table }) => table))];
    expect([tablesOf(0), tablesOf(1)]).toEqual([['close_run'], ['close_tools_run']]);
    expect(files.map(({ text }) => text.match(/export interface \w+/g))).toEqual([
      ['export interface CloseRun', 'export interface CloseTables'],
      ['export interface CloseToolsRun', 'export interface CloseToolsTables'],
    ]);
    const owners = ['plugins/close', 'plugins/close-tools'].map((folder, index) => ({
      folder,
      tables: tablesOf(index),
    }));
    const text = 'sql`SELECT id FROM close_run JOIN close_tools_run USING (id)`';
    const sources = owners.map(({ folder }) => ({ path: `${folder}/src/reads.ts`, text }));
    expect(foreignTables(sources, owners)).toEqual([
      'plugins/close/src/reads.ts:1: close_tools_run is a table of plugins/close-tools. Use a service of that package instead.',
      'plugins/close-tools/src/reads.ts:1: close_run is a table of plugins/close. Use a service of that package instead.',
    ]);
  });
});
