import { type Contribution, contribute, createToken, operationRuns, type Provider, provide } from '@pacioli/core';
import { accountingConnections, bookkeepingSources, entities, eventSources } from '@pacioli/ledger';
import { ConnectionService, ConnectionSyncs, StoredConnections } from './connections/index.ts';
import { externalProvider, ProviderRegistry } from './external-systems/index.ts';
import { connectionProviders } from './tokens.ts';

/** The services behind the operations and routes of this plugin. */
export interface Connections {
  readonly registry: ProviderRegistry;
  readonly stored: StoredConnections;
  readonly changes: ConnectionService;
  readonly syncs: ConnectionSyncs;
}

export const connections = createToken<Connections>('connections.connections');

export const providers: readonly Provider[] = [
  provide(connections, {
    services: { providers: connectionProviders, entities, runs: operationRuns },
    create: ({ providers, entities, runs }): Connections => {
      const registry = new ProviderRegistry(providers);
      const store = new StoredConnections();
      const changes = new ConnectionService({ store, providers: registry, entities, runs });
      const syncs = new ConnectionSyncs({ store, providers: registry, runs });
      return { registry, stored: store, changes, syncs };
    },
  }),
];

export const contributions: readonly Contribution[] = [
  contribute(connectionProviders, 'external', {
    services: { bookkeepingSources },
    create: (use) => externalProvider(use.bookkeepingSources.map(({ key }) => key)),
  }),
  // Ledger L-84, L-116: a connection that is not authorized yet cannot send events.
  contribute(eventSources, 'connections', {
    create: () => {
      const store = new StoredConnections();
      return { live: (tx, held) => store.sources(tx, held) };
    },
  }),
  contribute(accountingConnections, 'connections', {
    // Not `connections`, which uses the ledger: the ledger reads this list.
    services: { providers: connectionProviders },
    create: ({ providers: offered }) => {
      const registry = new ProviderRegistry(offered);
      const store = new StoredConnections();
      return {
        live: async (tx) => {
          if (!registry.hasBooks) return [];
          return (await store.list(tx))
            .filter(({ provider, status }) => registry.keepsBooks(provider) && status !== 'pending_oauth')
            .map(({ id, writePolicy, lastSyncAt, createdAt }) => ({
              connectionId: id,
              writePolicy,
              lastSyncAt,
              createdAt,
            }));
        },
      };
    },
  }),
];
