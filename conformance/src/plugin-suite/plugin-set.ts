import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Plugin, type Store, sql } from '@pacioli/core';
import { type Aliases, kernelPlugin } from '@pacioli/core/assembly';
import type { GraphStore } from '@pacioli/core/ports';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { RowWriter, type SampleRows } from './sample-rows.ts';
import { type TableShape, tablesOf } from './table-shapes.ts';

/** The set in which a plugin is tested. */
export interface PluginSet {
  readonly plugin: Plugin;
  readonly others: readonly Plugin[];
  readonly aliases: Aliases;
  readonly samples: SampleRows;
  readonly graphStore?: GraphStore;
}

/** Starts a service with the set, or without the tested plugin, on a store that the caller closes. */
export function startSet(
  set: PluginSet,
  store?: Store,
  { isEnabled = true, worker = true }: { readonly isEnabled?: boolean; readonly worker?: boolean } = {},
): Promise<TestService> {
  return startTestService({
    worker,
    plugins: isEnabled ? [set.plugin, ...set.others] : withoutPlugin(set),
    aliases: set.aliases,
    ...(store === undefined ? {} : { store }),
    ...(set.graphStore === undefined ? {} : { graphStore: set.graphStore }),
  });
}

/** The other plugins that do not depend on the tested one, directly or through each other. */
function withoutPlugin({ plugin, others }: PluginSet): readonly Plugin[] {
  const gone = new Set([plugin.name]);
  let before = 0;
  while (gone.size > before) {
    before = gone.size;
    for (const { name, dependsOn } of others) if (dependsOn.some((each) => gone.has(each))) gone.add(name);
  }
  return others.filter(({ name }) => !gone.has(name));
}

/** The tables of the tested plugin that hold rows of graphs. */
export async function graphTables(set: PluginSet, store: Store): Promise<readonly TableShape[]> {
  const names = [kernelPlugin, set.plugin, ...set.others].map(({ name }) => name);
  const shapes = await tablesOf(store, set.plugin.name, names);
  const { tables } = set.plugin;
  return shapes.filter(({ name }) => (tables[name] ?? tables['*'])?.rows !== 'kernel');
}

/** Writes sample rows of the graph into each table that holds rows of graphs. */
export async function writeSampleRows(set: PluginSet, store: Store, graphId: string): Promise<void> {
  const names = [kernelPlugin, set.plugin, ...set.others].map(({ name }) => name);
  const shapes = await tablesOf(store, set.plugin.name, names);
  const accessOf = (table: string) => set.plugin.tables[table] ?? set.plugin.tables['*'] ?? {};
  const writer = new RowWriter({ store, shapes, samples: set.samples, accessOf });
  for (const { name } of await graphTables(set, store)) await writer.write(name, graphId);
}

/** The rows of a graph in the tables of the plugin: for each table their number and a hash. */
export async function digestOf(set: PluginSet, store: Store, graphId: string): Promise<Record<string, string>> {
  const tables = await graphTables(set, store);
  const digests: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await store.transaction({ graphId }, (tx) =>
      tx.query(sql<{ digest: string }>`
        SELECT count(*) || ' rows ' || coalesce(md5(string_agg(t::text, chr(10) ORDER BY t::text)), '') AS digest
        FROM ${sql.table(name)} AS t WHERE graph_id = ${graphId}`),
    );
    digests[name] = row?.digest ?? '';
  }
  return digests;
}

/** A graph of the user with the domain of the plugin and those that it depends on. */
export function graphWith(set: PluginSet, user: TestClient, name: string): Promise<string> {
  const domains = [set.plugin, ...set.others].flatMap(({ domain }) => (domain === undefined ? [] : [domain]));
  return user.createGraph(
    name,
    domains.map((domain) => set.aliases[domain]?.[0] ?? domain),
  );
}

/** Does the work with a temporary folder. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'pacioli-kit-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
