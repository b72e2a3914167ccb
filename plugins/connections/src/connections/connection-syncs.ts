import {
  type Admitted,
  finishedAtOnce,
  isServiceError,
  notFound,
  type OperationRuns,
  type RunContext,
  ServiceError,
  type Transaction,
} from '@pacioli/core';
import type { ProviderRegistry } from '../external-systems/index.ts';
import type { SyncConnectionRequest } from '../models/SyncConnectionRequest.ts';
import type { Connection } from '../tokens.ts';
import type { StoredConnections } from './stored-connections.ts';

/** The statuses of a run that has not ended. */
const open = ['pending', 'running', 'awaiting_input'];

interface ConnectionSyncServices {
  readonly store: StoredConnections;
  readonly providers: ProviderRegistry;
  readonly runs: OperationRuns;
}

/** Pulls from providers, with one run at a time per connection (ledger L-122). */
export class ConnectionSyncs {
  readonly #store: StoredConnections;
  readonly #providers: ProviderRegistry;
  readonly #runs: OperationRuns;

  constructor(use: ConnectionSyncServices) {
    this.#store = use.store;
    this.#providers = use.providers;
    this.#runs = use.runs;
  }

  /** Determines whether there is anything to pull; if so, stores the run with its connection. */
  async accept(tx: Transaction, connectionId: string, operationId: string): Promise<Admitted> {
    const connection = await this.#store.lock(tx, connectionId);
    if (connection === undefined) throw notFound(`There is no live connection '${connectionId}' in this graph.`);
    if (this.#providers.require(connection.provider).pull === undefined) {
      const message = `A connection of provider '${connection.provider}' sends its own data: there is nothing to pull.`;
      return finishedAtOnce({ message, connection_id: connectionId, task_id: null, status: 'completed' });
    }
    await this.#requireReady(tx, connection);
    await this.#store.noteSyncStart(tx, connectionId, operationId);
    const message = `The sync of the ${connection.provider} connection was accepted.`;
    return { message, connection_id: connectionId, task_id: operationId, status: 'pending' };
  }

  async #requireReady(tx: Transaction, connection: Connection): Promise<void> {
    const { status } = connection;
    if (status === 'needs_reauth') {
      throw new ServiceError(
        'refused',
        'INVALID_STATE',
        'Reconnect the account: the provider refuses its credentials.',
      );
    }
    if (status === 'pending_oauth') {
      const message = 'The connection is not connected yet. Finish its authorization first.';
      throw new ServiceError('refused', 'INVALID_STATE', message);
    }
    await requireNoSync(tx, this.#runs, connection, 'Wait until it ends.');
  }

  /** Pulls and records the outcome; a failure leaves the time of the last load unchanged (ledger L-121, L-123). */
  async run(ctx: RunContext, request: SyncConnectionRequest): Promise<Readonly<Record<string, unknown>>> {
    const connectionId = String(ctx.accepted?.['connection_id']);
    const connection = await ctx.transaction((tx) => this.#store.find(tx, connectionId), { readOnly: true });
    if (connection === undefined) throw notFound(`The connection '${connectionId}' was deleted before its sync began.`);
    const { pull } = this.#providers.require(connection.provider);
    if (pull === undefined) throw new Error(`The provider ${connection.provider} pulled when this run was accepted.`);
    const loadedAt = ctx.now();
    try {
      const result = await pull({ connection, request, ctx });
      const end = { status: 'connected', loadedAt, result } as const;
      await ctx.transaction((tx) => this.#store.noteSyncEnd(tx, connectionId, end, ctx.now()));
      return { connection_id: connectionId, ...result };
    } catch (error) {
      const status = isServiceError(error) && error.code === 'NEEDS_REAUTH' ? 'needs_reauth' : 'error';
      await this.#noteFailure(ctx, connectionId, status);
      throw error;
    }
  }

  /** Never throws: the error of the sync matters more than a failure to record it. */
  async #noteFailure(ctx: RunContext, connectionId: string, status: 'error' | 'needs_reauth'): Promise<void> {
    try {
      await ctx.transaction((tx) => this.#store.noteSyncEnd(tx, connectionId, { status }, ctx.now()));
    } catch (error) {
      ctx.log.warn('The end of a failed sync could not be recorded.', { connectionId, error });
    }
  }
}

/** Throws 409 during a sync of the connection, which the caller must have locked. */
export async function requireNoSync(
  tx: Transaction,
  runs: OperationRuns,
  { syncOperationId }: Connection,
  advice: string,
): Promise<void> {
  const run = syncOperationId === null ? undefined : await runs.state(tx, syncOperationId);
  if (run === undefined || !open.includes(run.status)) return;
  throw new ServiceError('conflict', 'INVALID_STATE', `Sync already in progress. ${advice}`);
}
