import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock, Log, Plugin, Provider, Store } from '@pacioli/core';
import {
  type Aliases,
  type AssembleOptions,
  assemble,
  type GivenSettings,
  type Identity,
  type Mail,
  type Service,
} from '@pacioli/core/assembly';
import type { Embedder, FileStore, GraphStore, LanguageModel, SearchIndex } from '@pacioli/core/ports';
import { localFileStore } from '@pacioli/files-local';
import { createKoaApp, createLimitedServer, type KoaHostOptions } from '@pacioli/host-koa';
import { lanceSearchIndex } from '@pacioli/search-lancedb';
import { duckdbStagingStore } from '@pacioli/staging-duckdb';
import { type PreparedContent, storeDrivers, type TestStoreOptions } from '@pacioli/store-postgres/testing';
import { hashEmbedder } from './hash-embedder.ts';
import { shippedContent } from './shipped-content.ts';
import { TestClient } from './test-client.ts';
import { openTestGraphStore } from './test-graph-store.ts';

export interface TestServiceOptions {
  readonly plugins: readonly Plugin[];
  readonly override?: readonly Provider[];
  /** Left open when the service closes. By default the service has its own store. */
  readonly store?: Store;
  /** Limits of that own store that differ from the defaults. */
  readonly storeOptions?: TestStoreOptions;
  /** Left open when the service closes. By default one of PACIOLI_TEST_GRAPH_STORE in a temporary folder. */
  readonly graphStore?: GraphStore;
  /** Left open when the service closes. By default a temporary folder. */
  readonly fileStore?: FileStore;
  /** By default `hashEmbedder`, which finds texts with the same words. */
  readonly embedder?: Embedder;
  /** By default there is none. */
  readonly languageModel?: LanguageModel;
  /** Left open when the service closes. By default LanceDB in a temporary folder. */
  readonly searchIndex?: SearchIndex;
  readonly aliases?: Aliases;
  readonly clock?: Clock;
  /** By default, unexpected errors are written to standard error; `silentLog` is for a test that provokes them. */
  readonly log?: Log;
  /** Settings that differ from the defaults; rate limits and the refresh of graphs are off unless a test enables them. */
  readonly settings?: GivenSettings;
  readonly mail?: Mail;
  /** Users of the test instead of accounts; `newUser` needs accounts. */
  readonly identity?: Identity;
  readonly explorer?: NonNullable<AssembleOptions['explorer']>;
  /** Options of the HTTP layer, such as pages and allowed origins. */
  readonly host?: KoaHostOptions;
  /** If false, queued operations are not executed. */
  readonly worker?: boolean;
}

/** A real service on a free port of the loopback address. */
export interface TestService {
  readonly url: string;
  readonly service: Service;
  readonly store: Store;
  readonly graphStore: GraphStore;
  readonly fileStore: FileStore;
  /** A caller without a credential. */
  readonly anonymous: TestClient;
  /** Registers a new user with that name and signs in. */
  newUser(name?: string): Promise<TestClient>;
  close(): Promise<void>;
}

/** Test users share a password that the policy accepts. */
const password = 'Harbour-Lantern-42';

const testAuth = {
  jwtSecret: 'a secret that only tests know: 0123456789',
  issuer: 'pacioli-test',
  audience: 'pacioli-test',
};

/** Starts a real service with embedded drivers; responses that do not match their model fail the test. */
export async function startTestService(options: TestServiceOptions): Promise<TestService> {
  const own =
    options.store === undefined
      ? await openTestStore(options.storeOptions, shippedContent(options.plugins))
      : undefined;
  const store = options.store ?? own?.store;
  if (store === undefined) throw new Error('There is no store to test with.');
  const folder = await mkdtemp(join(tmpdir(), 'pacioli-graphs-'));
  const ownGraphs = options.graphStore === undefined ? await openTestGraphStore(folder, store) : undefined;
  const graphStore = options.graphStore ?? ownGraphs?.graphStore;
  if (graphStore === undefined) throw new Error('There is no graph store to test with.');
  const stagingStore = duckdbStagingStore({ folder: join(folder, 'staging') });
  const fileStore = options.fileStore ?? localFileStore({ folder: join(folder, 'files') });
  const ownIndex = options.searchIndex === undefined ? lanceSearchIndex({ folder: join(folder, 'search') }) : undefined;
  const searchIndex = options.searchIndex ?? ownIndex;
  if (searchIndex === undefined) throw new Error('There is no search index to test with.');
  const closeDrivers = async (): Promise<void> => {
    await ownGraphs?.dispose();
    await stagingStore.close();
    await ownIndex?.close();
    await rm(folder, { recursive: true, force: true });
    await own?.dispose();
  };
  const service = await assemble({
    plugins: options.plugins,
    store,
    ...(options.identity === undefined ? { auth: testAuth } : { identity: options.identity }),
    settings: {
      rateLimits: { profile: 'test' },
      ...options.settings,
      // Tests count builds and runs, so a graph is refreshed only where that is the subject.
      graphs: { autoRefresh: false, ...options.settings?.graphs },
    },
    ...(options.mail === undefined ? {} : { mail: options.mail }),
    checkAnswers: 'throw',
    graphStore,
    fileStore,
    stagingStore,
    embedder: options.embedder ?? hashEmbedder(),
    ...(options.languageModel === undefined ? {} : { languageModel: options.languageModel }),
    searchIndex,
    ...(options.override === undefined ? {} : { override: options.override }),
    ...(options.aliases === undefined ? {} : { aliases: options.aliases }),
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    ...(options.log === undefined ? {} : { log: options.log }),
    ...(options.explorer === undefined ? {} : { explorer: options.explorer }),
  }).catch(async (error: unknown) => {
    await closeDrivers();
    throw error;
  });
  if (options.worker !== false) await service.startWorker();
  const server = createLimitedServer(createKoaApp(service, options.host).callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // A listening TCP server has one.
  const anonymous = new TestClient(`http://127.0.0.1:${port}${service.prefix}`, {});
  let users = 0;
  return {
    url: anonymous.url,
    service,
    store,
    graphStore,
    fileStore,
    anonymous,
    newUser: async (name = 'user') => {
      users += 1;
      const email = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-${users}@example.org`;
      const answer = await anonymous.post('/v1/auth/register', { name, email, password });
      if (answer.status !== 201)
        throw new Error(`The user was refused: ${answer.status} ${JSON.stringify(answer.body)}`);
      return anonymous.withHeaders({ authorization: `Bearer ${answer.body.token}` });
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await service.close();
      await closeDrivers();
    },
  };
}

/** Opens a fresh store of the last driver in PACIOLI_TEST_STORES, by default the embedded one. */
export async function openTestStore(
  options?: TestStoreOptions,
  content?: PreparedContent,
): Promise<{ readonly store: Store; dispose(): Promise<void> }> {
  const driver = storeDrivers().at(-1);
  if (driver === undefined) throw new Error('There is no store driver to test with.');
  const { store, dispose } = await driver.create(options, content);
  return {
    store,
    dispose: async () => {
      await dispose();
      await driver.stop();
    },
  };
}
