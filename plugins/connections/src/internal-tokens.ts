import { createToken } from '@pacioli/core';
import type { ConnectionService } from './connection-service.ts';
import type { ConnectionSyncs } from './connection-syncs.ts';
import type { ProviderRegistry } from './provider-registry.ts';
import type { StoredConnections } from './store/stored-connections.ts';

export const providerRegistry = createToken<ProviderRegistry>('connections.provider-registry');
export const connectionStore = createToken<StoredConnections>('connections.store');
export const connectionBook = createToken<ConnectionService>('connections.book');
export const connectionSyncs = createToken<ConnectionSyncs>('connections.syncs');
