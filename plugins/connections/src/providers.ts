import { type Contribution, contribute, operationRuns, type Provider, provide } from '@pacioli/core';
import { accountingConnections, entities, eventSources } from '@pacioli/ledger';
import { ConnectionService } from './connection-service.ts';
import { ConnectionSyncs } from './connection-syncs.ts';
import { externalProvider } from './external-provider.ts';
import { connectionBook, connectionStore, connectionSyncs, providerRegistry } from './internal-tokens.ts';
import { ProviderRegistry } from './provider-registry.ts';
import { StoredConnections } from './store/stored-connections.ts';
import { connectionProviders } from './tokens.ts';

export const providers: readonly Provider[] = [
  provide(providerRegistry, {
    services: { providers: connectionProviders },
    create: (use) => new ProviderRegistry(use.providers),
  }),
  provide(connectionStore, { create: () => new StoredConnections() }),
  provide(connectionBook, {
    services: { store: connectionStore, providers: providerRegistry, entities, runs: operationRuns },
    create: (use) => new ConnectionService(use),
  }),
  provide(connectionSyncs, {
    services: { store: connectionStore, providers: providerRegistry, runs: operationRuns },
    create: (use) => new ConnectionSyncs(use),
  }),
];

export const contributions: readonly Contribution[] = [
  contribute(connectionProviders, 'external', { create: () => externalProvider }),
  // Ledger L-84, L-116: a connection that is not authorized yet cannot send events.
  contribute(eventSources, 'connections', {
    services: { store: connectionStore },
    create: ({ store }) => ({ live: (tx, held) => store.sources(tx, held) }),
  }),
  contribute(accountingConnections, 'connections', {
    services: { store: connectionStore, providers: providerRegistry },
    create: ({ store, providers }) => ({
      live: async (tx) => {
        if (!providers.hasBooks) return [];
        return (await store.list(tx))
          .filter(({ provider, status }) => providers.keepsBooks(provider) && status !== 'pending_oauth')
          .map(({ id, writePolicy, lastSyncAt, createdAt }) => ({
            connectionId: id,
            writePolicy,
            lastSyncAt,
            createdAt,
          }));
      },
    }),
  }),
];
