import { randomBytes } from 'node:crypto';
import { columnsOf, type RawBuilder, type RowOf, sql, type Transaction } from '@pacioli/core';
import type { LiveSource, LockedSource } from '@pacioli/ledger';
import type { ConnectionsConnection } from '../rows.gen.ts';
import type { Connection, Disposition, NewConnection, WritePolicy } from '../tokens.ts';

/** The maximum number of live connections in a graph. */
export const maxLiveConnections = 100;

const columns = columnsOf<ConnectionsConnection>()(
  'id',
  'provider',
  'status',
  'source_name',
  'entity_id',
  'write_policy',
  'metadata',
  'last_sync_at',
  'sync_operation_id',
  'created_at',
  'updated_at',
);

type ConnectionRow = RowOf<typeof columns> & { readonly metadata: Readonly<Record<string, unknown>> };

/** Connections of the graph that were not deleted. */
function live(tx: Transaction): RawBuilder<unknown> {
  return sql`graph_id = ${tx.graphId} AND deleted_at IS NULL`;
}

/** The connections of a graph. Deleted ones remain as rows but are not visible here. */
export class StoredConnections {
  /** Counts the live connections of the graph; concurrent creations in one graph wait here for each other. */
  async countForCreation(tx: Transaction): Promise<number> {
    await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`pacioli.connections.${tx.graphId}`}, 0))`);
    const [row] = await tx.query(sql<{ live: number }>`
      SELECT count(*) AS live FROM connections_connection WHERE ${live(tx)}`);
    return row?.live ?? 0;
  }

  /** Inserts a connection; undefined if a live one has the slot (ledger L-115, L-116). */
  async create(
    tx: Transaction,
    given: NewConnection & {
      readonly provider: string;
      readonly entityId: string | null;
      readonly writePolicy: WritePolicy;
    },
    by: { readonly userId: string; readonly now: Date },
  ): Promise<Connection | undefined> {
    const [row] = await tx.query(sql<ConnectionRow>`
      INSERT INTO connections_connection (graph_id, id, provider, slot, status, source_name, entity_id, write_policy, metadata,
        created_at, created_by, updated_at)
      VALUES (${tx.graphId}, ${newConnectionId()}, ${given.provider}, ${given.slot}, ${given.status},
        ${given.sourceName}, ${given.entityId}, ${given.writePolicy}, ${asJson(given.metadata)},
        ${by.now}, ${by.userId}, ${by.now})
      ON CONFLICT (graph_id, provider, slot) WHERE deleted_at IS NULL DO NOTHING RETURNING ${columns}`);
    return row === undefined ? undefined : connectionOf(row);
  }

  /** Oldest first; bounded by `maxLiveConnections`. */
  async list(
    tx: Transaction,
    filter: { readonly provider?: string | undefined; readonly entityId?: string | undefined } = {},
  ): Promise<readonly Connection[]> {
    const ofProvider = filter.provider === undefined ? sql`` : sql`AND provider = ${filter.provider}`;
    const ofEntity = filter.entityId === undefined ? sql`` : sql`AND entity_id = ${filter.entityId}`;
    const rows = await tx.query(sql<ConnectionRow>`
      SELECT ${columns} FROM connections_connection
      WHERE ${live(tx)} ${ofProvider} ${ofEntity} ORDER BY created_at, id`);
    return rows.map(connectionOf);
  }

  async find(tx: Transaction, id: string): Promise<Connection | undefined> {
    return this.#one(tx, id, sql``);
  }

  /** Finds a connection and locks its row until the transaction ends. */
  async lock(tx: Transaction, id: string): Promise<Connection | undefined> {
    return this.#one(tx, id, sql`FOR NO KEY UPDATE`);
  }

  /** Locks a connection exclusively, after events that are being recorded for it and before any new ones. */
  async lockExclusively(tx: Transaction, id: string): Promise<Connection | undefined> {
    return this.#one(tx, id, sql`FOR UPDATE`);
  }

  /**
   * The sources that events may name. Locked ones stay live until the transaction ends, so that no event of a
   * connection follows its deletion; others may be deleted concurrently. Bounded by `maxLiveConnections`.
   */
  async sources(tx: Transaction, held?: LockedSource): Promise<readonly LiveSource[]> {
    const rows = await tx.query(sql<Pick<ConnectionsConnection, 'id'> & { readonly source: string }>`
      SELECT id, coalesce(source_name, provider) AS source FROM connections_connection
      WHERE ${live(tx)} AND status <> 'pending_oauth' ${heldOnly(held)}`);
    return rows.map(({ id, source }) => ({ source, connectionId: id }));
  }

  async #one(tx: Transaction, id: string, lock: RawBuilder<unknown>): Promise<Connection | undefined> {
    const [row] = await tx.query(sql<ConnectionRow>`
      SELECT ${columns} FROM connections_connection
      WHERE ${live(tx)} AND id = ${id} ${lock}`);
    return row === undefined ? undefined : connectionOf(row);
  }

  async setWritePolicy(tx: Transaction, id: string, policy: WritePolicy, now: Date): Promise<Connection | undefined> {
    const [row] = await tx.query(sql<ConnectionRow>`
      UPDATE connections_connection SET write_policy = ${policy}, updated_at = ${now}
      WHERE ${live(tx)} AND id = ${id} RETURNING ${columns}`);
    return row === undefined ? undefined : connectionOf(row);
  }

  async noteSyncStart(tx: Transaction, id: string, operationId: string): Promise<void> {
    await tx.query(sql`
      UPDATE connections_connection SET sync_operation_id = ${operationId}
      WHERE ${live(tx)} AND id = ${id}`);
  }

  /** Records the outcome of a sync; a successful load also updates the time of the last sync (ledger L-121, L-123). */
  async noteSyncEnd(
    tx: Transaction,
    id: string,
    end:
      | { readonly status: 'connected'; readonly loadedAt: Date; readonly result: Readonly<Record<string, unknown>> }
      | { readonly status: 'error' | 'needs_reauth' },
    now: Date,
  ): Promise<void> {
    const loaded =
      end.status === 'connected'
        ? sql`, last_sync_at = ${end.loadedAt}, metadata = metadata || ${asJson({ last_sync_result: end.result })}`
        : sql``;
    await tx.query(sql`
      UPDATE connections_connection SET status = ${end.status}, updated_at = ${now} ${loaded}
      WHERE ${live(tx)} AND id = ${id}`);
  }

  /** Ledger L-120: the row remains and its slot becomes free. */
  async delete(
    tx: Transaction,
    id: string,
    disposition: Disposition,
    by: { readonly userId: string; readonly now: Date },
  ): Promise<void> {
    const change =
      disposition === 'sever' ? sql`status = 'severed', write_policy = 'native'` : sql`status = 'disconnected'`;
    await tx.query(sql`
      UPDATE connections_connection SET ${change}, updated_at = ${by.now}, deleted_at = ${by.now}, deleted_by = ${by.userId}
      WHERE ${live(tx)} AND id = ${id}`);
  }
}

/** Ledger L-1: ids are random, so that one id does not reveal another. */
function newConnectionId(): string {
  return `conn_${randomBytes(16).toString('base64url')}`;
}

/**
 * Restricts a list to the requested sources and locks them, in a fixed order so that concurrent locks cannot deadlock.
 */
function heldOnly(held: LockedSource | undefined): RawBuilder<unknown> {
  if (held === undefined) return sql`ORDER BY created_at, id`;
  const named =
    'source' in held ? sql`coalesce(source_name, provider) = ${held.source}` : sql`id = ${held.connectionId}`;
  return sql`AND ${named} ORDER BY created_at, id FOR KEY SHARE`;
}

function asJson(value: object): RawBuilder<unknown> {
  return sql`${JSON.stringify(value)}::text::jsonb`;
}

function connectionOf(row: ConnectionRow): Connection {
  return {
    id: row.id,
    provider: row.provider,
    status: row.status,
    sourceName: row.source_name,
    entityId: row.entity_id,
    writePolicy: row.write_policy,
    metadata: row.metadata,
    lastSyncAt: row.last_sync_at,
    syncOperationId: row.sync_operation_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
