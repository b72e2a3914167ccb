import { notFound, type OperationRuns, ServiceError, type Transaction } from '@pacioli/core';
import type { Entities } from '@pacioli/ledger';
import type { ProviderRegistry } from '../external-systems/index.ts';
import type { CreateConnectionRequest } from '../models/CreateConnectionRequest.ts';
import type { Connection, Disposition, WritePolicy } from '../tokens.ts';
import { requireNoSync } from './connection-syncs.ts';
import { maxLiveConnections, type StoredConnections } from './stored-connections.ts';

/** The author and time of a change. */
export interface Author {
  readonly userId: string;
  readonly now: Date;
}

interface ConnectionServiceParts {
  readonly store: StoredConnections;
  readonly providers: ProviderRegistry;
  readonly entities: Entities;
  readonly runs: OperationRuns;
}

/** Changes the connections of a graph. Callers check roles first. */
export class ConnectionService {
  readonly #store: StoredConnections;
  readonly #providers: ProviderRegistry;
  readonly #entities: Entities;
  readonly #runs: OperationRuns;

  constructor(use: ConnectionServiceParts) {
    this.#store = use.store;
    this.#providers = use.providers;
    this.#entities = use.entities;
    this.#runs = use.runs;
  }

  /**
   * Creates a connection; 403 for a provider that is not available, 409 if another connection has its slot (ledger
   * L-115, L-116).
   */
  async create(tx: Transaction, request: CreateConnectionRequest, by: Author): Promise<Connection> {
    const provider = this.#providers.require(request.provider);
    const given = await provider.open({ tx, request });
    const entityId = request.entity_id ?? null;
    if (entityId !== null && !(await this.#entities.has(tx, entityId))) {
      throw notFound(`There is no entity '${entityId}' in this graph. Omit entity_id, or read the query 'entities'.`);
    }
    if ((await this.#store.countForCreation(tx)) >= maxLiveConnections) {
      const message = `This graph has ${maxLiveConnections} connections, which is the limit. Delete one first.`;
      throw new ServiceError('forbidden', 'CONNECTION_LIMIT_REACHED', message);
    }
    const writePolicy = provider.keepsBooks ? 'qb_authoritative' : 'native';
    const created = await this.#store.create(tx, { ...given, provider: provider.key, entityId, writePolicy }, by);
    if (created !== undefined) return created;
    const message = `This graph already has a live ${provider.key} connection with ${given.slotName}. Use it, or delete it first.`;
    throw new ServiceError('conflict', 'ALREADY_EXISTS', message);
  }

  async require(tx: Transaction, connectionId: string): Promise<Connection> {
    return (await this.#store.find(tx, connectionId)) ?? missing(connectionId);
  }

  /** Applies to later publications; only providers with whole books have a policy (ledger L-119). */
  async setWritePolicy(tx: Transaction, connectionId: string, policy: WritePolicy, now: Date): Promise<Connection> {
    const { provider } = (await this.#store.lock(tx, connectionId)) ?? missing(connectionId);
    if (!this.#providers.keepsBooks(provider)) {
      const message = `A connection of provider '${provider}' has no write policy: nothing is ever written back to it.`;
      throw new ServiceError('refused', 'INVALID_INPUT', message);
    }
    return (await this.#store.setWritePolicy(tx, connectionId, policy, now)) ?? missing(connectionId);
  }

  /**
   * Ledger L-120: keeps what the connection loaded unless its provider removes it; 409 during a sync, which would
   * continue loading into what was removed.
   */
  async delete(tx: Transaction, connectionId: string, disposition: Disposition, by: Author): Promise<Connection> {
    const connection = (await this.#store.lockExclusively(tx, connectionId)) ?? missing(connectionId);
    if (disposition === 'sever' && !this.#providers.keepsBooks(connection.provider)) {
      const message = `Only a connection to a provider of whole books can be severed. Delete this one with disposition=disconnect.`;
      throw new ServiceError('refused', 'INVALID_INPUT', message);
    }
    await requireNoSync(tx, this.#runs, connection, 'Wait until it ends, then delete the connection.');
    // The provider may have been disabled since then.
    const provider = this.#providers.find(connection.provider);
    await provider?.deleted?.({ tx, connection, disposition });
    await this.#store.delete(tx, connectionId, disposition, by);
    return connection;
  }
}

function missing(connectionId: string): never {
  throw notFound(`There is no live connection '${connectionId}' in this graph.`);
}
