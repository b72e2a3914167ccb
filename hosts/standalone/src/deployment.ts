import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '@pacioli/core';
import type { Service } from '@pacioli/core/assembly';
import {
  type FileStore,
  type GraphStore,
  type StagingStore,
  type Store,
  StoreError,
  storedGraphDatabases,
} from '@pacioli/core/ports';
import { embeddedStore, postgresStore } from '@pacioli/store-postgres';
import type { EmbeddedEngine } from '@pacioli/store-postgres/engine';
import type { DeploymentConfig } from './config.ts';
import { optionalDriver } from './optional-driver.ts';
import { jwtSecretOf, prepareDataDir, type Settings } from './settings.ts';
import { StartUpError } from './start-up-error.ts';

/** A running service with the drivers that the environment names. */
export interface Deployment {
  readonly service: Service;
  readonly store: Store;
  close(): Promise<void>;
}

export interface DeploymentOptions {
  readonly untouched?: boolean;
  /** An already started engine for the embedded store. */
  readonly engine?: EmbeddedEngine | undefined;
  /** Called when all modules are loaded and the database check begins, during which this thread is mostly idle. */
  readonly whileChecking?: () => void;
}

/**
 * Opens the drivers and assembles the plugins; `untouched` does not change the database, and rejects one that is
 * missing or at another version. Such a deployment serves no requests, so it needs no secret or payment provider.
 */
export async function openDeployment(
  settings: Settings,
  log: Log,
  { untouched = false, engine, whileChecking }: DeploymentOptions = {},
): Promise<Deployment> {
  if (untouched) requireStore(settings);
  prepareDataDir(settings.dataDir);
  const jwtSecret = untouched ? randomBytes(48).toString('base64url') : jwtSecretOf(settings);
  // The embedded engine opens in its own thread, and the plugins take as long to load, so both run in parallel.
  const [opened, loaded] = await Promise.allSettled([openStore(settings, engine), loadTheRest(settings, untouched)]);
  if (opened.status === 'rejected') throw opened.reason;
  const store = opened.value;
  if (loaded.status === 'rejected') {
    await store.close();
    throw loaded.reason;
  }
  const { assemblePlugins, config, fileStore, stagingStore, embedder, searchIndex } = loaded.value;
  const graphStore = await openGraphStore(settings, config, store, log).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const closeDrivers = async (): Promise<void> => {
    // The store closes last, and even after an error, so that its lock is always released.
    await graphStore
      .close()
      .finally(() => fileStore.close())
      .finally(() => stagingStore.close())
      .finally(() => embedder?.close?.())
      .finally(() => searchIndex?.close())
      .finally(() => store.close());
  };
  try {
    const assembled = assemblePlugins(
      settings,
      config,
      { store, graphStore, fileStore, stagingStore, embedder, searchIndex },
      { log, jwtSecret, untouched },
    );
    whileChecking?.();
    const service = await assembled;
    // Learns where the graphs are while no transaction holds the only connection of an embedded store.
    if (!untouched) await graphStore.probe();
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

/** The embedder and the search index serve requests only, so an untouched deployment has none. */
async function loadTheRest(settings: Settings, untouched: boolean) {
  const { assemblePlugins } = await import('./assemble-plugins.ts');
  const { loadConfig } = await import('./load-config.ts');
  const config = await loadConfig(settings.configFile, settings.plugins);
  const fileStore = await (config.drivers?.fileStore?.() ?? files(settings));
  const stagingStore = await (config.drivers?.stagingStore?.() ?? localStaging(settings));
  const stores = { assemblePlugins, config, fileStore, stagingStore };
  if (untouched) return { ...stores, searchIndex: undefined, embedder: undefined };
  const { openEmbedder, openSearchIndexOf } = await import('./search-drivers.ts');
  const { switches, dataDir } = settings;
  return {
    ...stores,
    searchIndex: await (config.drivers?.searchIndex?.() ?? openSearchIndexOf(switches.searchIndex, dataDir)),
    // The last one, because a model runs in a thread that would outlive a failure of the others.
    embedder: await (config.drivers?.embedder?.() ?? openEmbedder(switches.embedder)),
  };
}

async function localStaging({ dataDir, switches }: Settings): Promise<StagingStore> {
  const { duckdbStagingStore } = await import('@pacioli/staging-duckdb');
  return duckdbStagingStore({
    folder: join(dataDir, 'staging'),
    maxMemoryBytes: switches.workerMemoryMegabytes * 1024 * 1024,
  });
}

/** A bucket by URL, or else a folder. An unused driver is not loaded. */
async function files({ dataDir, switches }: Settings): Promise<FileStore> {
  if (switches.bucket === undefined) {
    const { localFileStore } = await import('@pacioli/files-local');
    return localFileStore({ folder: join(dataDir, 'files') });
  }
  const load = () => import('@pacioli/files-s3');
  const { s3FileStore } = await optionalDriver('@pacioli/files-s3', 'Files in a bucket', load);
  return s3FileStore({ ...switches.bucket, isPathStyle: switches.isBucketInPath });
}

/** The driver of the deployment, or else graph servers if the environment names some, or else the embedded engine. */
async function openGraphStore(
  settings: Settings,
  { drivers }: DeploymentConfig,
  store: Store,
  log: Log,
): Promise<GraphStore> {
  if (drivers?.graphStore !== undefined) return drivers.graphStore({ store });
  const servers = settings.switches.graphServers;
  if (servers === undefined) return embeddedGraphStore(settings);
  const load = () => import('@pacioli/graph-bolt');
  const { boltGraphStore } = await optionalDriver('@pacioli/graph-bolt', 'Graphs on servers', load);
  return boltGraphStore({
    databases: servers.databases,
    directory: storedGraphDatabases(store),
    temporaryFolder: settings.dataDir,
    log,
    ...(servers.credentials === undefined ? {} : { credentials: servers.credentials }),
  });
}

async function embeddedGraphStore({ dataDir, switches }: Settings): Promise<GraphStore> {
  const { ladybugGraphStore } = await import('@pacioli/graph-ladybug');
  return ladybugGraphStore({
    folder: join(dataDir, 'graphs'),
    maxMemoryBytes: switches.workerMemoryMegabytes * 1024 * 1024,
  });
}

/** Throws if the store is missing, because creating one would look like a loss of the intended store's data. */
export function requireStore({ dataDir, databaseUrl }: Settings): void {
  const folder = join(dataDir, 'store');
  if (databaseUrl !== undefined || existsSync(folder)) return;
  throw new StartUpError(`There is no store at ${folder}. Set DATA_DIR to the folder that the service runs with.`);
}

/** Opens the transactional store: a server by URL, or else the embedded one in the data folder. */
export async function openStore(settings: Settings, engine?: EmbeddedEngine): Promise<Store> {
  try {
    return settings.databaseUrl === undefined
      ? await embeddedStore({ folder: join(settings.dataDir, 'store'), ...(engine === undefined ? {} : { engine }) })
      : await postgresStore({ url: settings.databaseUrl });
  } catch (error) {
    throw startUpErrorOf(error);
  }
}

/** Converts errors that an operator can fix to one-line start-up errors. */
function startUpErrorOf(error: unknown): unknown {
  if (error instanceof StoreError) return new StartUpError(error.message, error.code === 'locked' ? 2 : 1);
  return error;
}
