import { kernelPlugin, migrationSets } from '@pacioli/core/assembly';
import { type GraphStore, type Store, storedGraphDatabases } from '@pacioli/core/ports';
import { openTestStore } from '@pacioli/testing';
import { boltGraphStore } from '../src/bolt-graph-store.ts';
import type { BoltDatabase, BoltOptions } from '../src/options.ts';
import { startBoltServers } from '../src/testing/bolt-servers.ts';

/** A graph store on fresh servers, whose claims are in a store of its own. */
export interface BoltTestStore {
  readonly store: GraphStore;
  readonly databases: readonly BoltDatabase[];
  readonly claims: Store;
  /** Another process of the same deployment. */
  another(options?: Partial<BoltOptions>): GraphStore;
  close(): Promise<void>;
}

export async function openBoltTestStore(count: number, options: Partial<BoltOptions> = {}): Promise<BoltTestStore> {
  const { store: claims, dispose } = await openTestStore();
  await claims.migrate(migrationSets([kernelPlugin]));
  const { databases, stop } = await startBoltServers(count);
  const opened: GraphStore[] = [];
  const another = (changed: Partial<BoltOptions> = {}): GraphStore => {
    const made = boltGraphStore({ databases, directory: storedGraphDatabases(claims), ...options, ...changed });
    opened.push(made);
    return made;
  };
  return {
    store: another(),
    databases,
    claims,
    another,
    close: async () => {
      for (const each of opened) await each.close();
      await stop();
      await dispose();
    },
  };
}
