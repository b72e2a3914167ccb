import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '@pacioli/core';
import type { Service } from '@pacioli/core/assembly';
import { type Store, StoreError } from '@pacioli/core/ports';
import { embeddedStore, postgresStore } from '@pacioli/store-postgres';
import type { EmbeddedEngine } from '@pacioli/store-postgres/engine';
import { jwtSecretOf, prepareDataDir, type Settings } from './settings.ts';
import { StartUpError } from './start-up-error.ts';

/** A running set with the drivers that the environment names. */
export interface Deployment {
  readonly service: Service;
  readonly store: Store;
  close(): Promise<void>;
}

export interface DeploymentOptions {
  readonly untouched?: boolean;
  /** An engine that has started, for the embedded store. */
  readonly engine?: EmbeddedEngine | undefined;
  /** Called when all is loaded and the database is about to be checked, during which this thread is mostly idle. */
  readonly whileChecking?: () => void;
}

/**
 * Opens the drivers and assembles the plugins; `untouched` leaves the database alone, and refuses one that is not there
 * or has other tables. Such a deployment serves nobody, so it asks for no secret and no payment provider.
 */
export async function openDeployment(
  settings: Settings,
  log: Log,
  { untouched = false, engine, whileChecking }: DeploymentOptions = {},
): Promise<Deployment> {
  if (untouched) requireStore(settings);
  prepareDataDir(settings.dataDir);
  const jwtSecret = untouched ? randomBytes(48).toString('base64url') : jwtSecretOf(settings);
  // The embedded engine opens in a thread of its own. The plugins take as long to load, so both happen at once.
  const [opened, loaded] = await Promise.allSettled([openStore(settings, engine), loadTheRest()]);
  if (opened.status === 'rejected') throw opened.reason;
  const store = opened.value;
  if (loaded.status === 'rejected') {
    await store.close();
    throw loaded.reason;
  }
  const { assemblePlugins, ladybugGraphStore } = loaded.value;
  const graphStore = ladybugGraphStore({
    folder: join(settings.dataDir, 'graphs'),
    maxMemoryBytes: settings.switches.workerMemoryMegabytes * 1024 * 1024,
  });
  const closeDrivers = async (): Promise<void> => {
    // The store closes last and always: its lock must not outlive the process's wish to end.
    await graphStore.close().finally(() => store.close());
  };
  try {
    const assembled = assemblePlugins(settings, { store, graphStore }, { log, jwtSecret, untouched });
    whileChecking?.();
    const service = await assembled;
    return {
      service,
      store,
      close: async () => {
        await service.close().finally(closeDrivers);
      },
    };
  } catch (error) {
    await closeDrivers();
    throw startUpErrorOf(error);
  }
}

async function loadTheRest() {
  const { assemblePlugins } = await import('./assemble-plugins.ts');
  const { ladybugGraphStore } = await import('@pacioli/graph-ladybug');
  return { assemblePlugins, ladybugGraphStore };
}

/** Refuses to look at a store that is not there: making one would look like the loss of the one that is meant. */
export function requireStore({ dataDir, databaseUrl }: Settings): void {
  const folder = join(dataDir, 'store');
  if (databaseUrl !== undefined || existsSync(folder)) return;
  throw new StartUpError(`There is no store at ${folder}. Set DATA_DIR to the folder that the service runs with.`);
}

/** The transactional store: a server by URL, else the embedded one in the data folder. */
export async function openStore(settings: Settings, engine?: EmbeddedEngine): Promise<Store> {
  try {
    return settings.databaseUrl === undefined
      ? await embeddedStore({ folder: join(settings.dataDir, 'store'), ...(engine === undefined ? {} : { engine }) })
      : await postgresStore({ url: settings.databaseUrl });
  } catch (error) {
    throw startUpErrorOf(error);
  }
}

/** Problems that a person can mend become one line. */
function startUpErrorOf(error: unknown): unknown {
  if (error instanceof StoreError) return new StartUpError(error.message, error.code === 'locked' ? 2 : 1);
  return error;
}
