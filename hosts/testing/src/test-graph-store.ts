import { join } from 'node:path';
import type { Store } from '@pacioli/core';
import { type GraphStore, storedGraphDatabases } from '@pacioli/core/ports';
import { boltGraphStore } from '@pacioli/graph-bolt';
import { startBoltServers } from '@pacioli/graph-bolt/testing';
import { ladybugGraphStore } from '@pacioli/graph-ladybug';

/** Enough for the graphs and subgraphs of one story, and one for a rebuild. */
const serversPerService = 8;

/** The graph engine of PACIOLI_TEST_GRAPH_STORE: `embedded`, which is the default, or `bolt`, on servers of its own. */
export async function openTestGraphStore(
  folder: string,
  store: Store,
): Promise<{ readonly graphStore: GraphStore; dispose(): Promise<void> }> {
  const wanted = process.env['PACIOLI_TEST_GRAPH_STORE'] ?? 'embedded';
  if (wanted === 'embedded') {
    // Starts no process before its first use.
    const graphStore = ladybugGraphStore({ folder: join(folder, 'graphs') });
    return { graphStore, dispose: () => graphStore.close() };
  }
  if (wanted !== 'bolt') throw new Error(`PACIOLI_TEST_GRAPH_STORE is embedded or bolt, not "${wanted}".`);
  const { databases, stop } = await startBoltServers(serversPerService);
  const graphStore = boltGraphStore({ databases, directory: storedGraphDatabases(store), temporaryFolder: folder });
  return { graphStore, dispose: () => graphStore.close().finally(stop) };
}
