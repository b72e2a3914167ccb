import assert from 'node:assert/strict';
import {
  type AppliedMigration,
  type MigrationSet,
  type Scope,
  type Store,
  StoreError,
  type StoreHealth,
  type Transaction,
  type TransactionOptions,
} from '@pacioli/core/ports';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import { boundKysely } from './bound-dialect.ts';
import type { Connections } from './connections.ts';
import { maxRowsPerBatch, removeRows, tablesOfGraphs } from './graph-rows.ts';
import { Upkeep } from './maintenance.ts';
import { migrate, pendingMigrations } from './migrate.ts';
import { type StatementGate, statementGate } from './statement-gate.ts';
import { StatementNames } from './statement-names.ts';
import { isStalePlan, toStoreError } from './store-error.ts';
import { OpenTransaction } from './transaction.ts';

const graphIdPattern = /^[a-zA-Z0-9_]{1,64}$/;
const channelPattern = /^[a-z][a-z0-9_]{0,62}$/;
/**
 * Write transactions repeat short statements, whose generic plans may be reused. A read transaction may scan all rows
 * of a tenant, small or huge, so each of its statements is planned for the actual values.
 */
const beginReading = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;SET LOCAL plan_cache_mode=force_custom_plan';
/** PostgreSQL rejects a longer payload. */
const maxPayloadBytes = 7_999;
const longestStatementMs = 3_600_000;

/** The store over a pool of PostgreSQL sessions, on a server or embedded. */
export class StoreOverPool implements Store {
  readonly driver: string;
  readonly #connections: Connections;
  readonly #upkeep: Upkeep;
  #closing: Promise<void> | undefined;
  readonly #gate: StatementGate = statementGate();
  readonly #names = new StatementNames();
  readonly #compiler: Kysely<unknown> = boundKysely(() => assert.fail('This builder only compiles.'));

  constructor(connections: Connections) {
    this.#connections = connections;
    this.#upkeep = new Upkeep(connections);
    this.driver = connections.driver;
  }

  async transaction<T>(
    scope: Scope,
    work: (tx: Transaction) => Promise<T>,
    options: TransactionOptions = {},
  ): Promise<T> {
    // Checked before a connection is acquired, so that an invalid id does not use one.
    const settings = settingsOf(scope);
    const maxStatementMs = this.#limitOf(options);
    const client = await this.#acquire();
    // One message, because a round trip for each setting costs a third of a small transaction.
    const mode = options.readOnly === true ? beginReading : 'BEGIN';
    const begin = `${mode};${settings}${this.#connections.limitStatements(client, maxStatementMs)}`;
    const tx = new OpenTransaction({
      scope,
      client,
      begin,
      gate: this.#gate,
      names: this.#names,
      compiler: this.#compiler,
      pipelines: this.#connections.pipelines,
    });
    const beganMs = performance.now();
    let result: T;
    try {
      result = await work(tx);
      if (options.readOnly === true) {
        const { ended } = await tx.commitRead();
        const release = (isBroken: boolean) => () => this.#connections.release(client, isBroken);
        void ended.then(release(false), release(true));
        return result;
      }
      await tx.commit();
    } catch (error) {
      const isUsable = await tx.rollBack();
      // A lost connection must not go back into the pool, nor a session whose plans are no longer valid.
      this.#connections.release(client, !isUsable || isStalePlan(error));
      throw toStoreError(error);
    }
    this.#connections.release(client, false);
    this.#upkeep.committed(performance.now() - beganMs);
    return result;
  }

  async migrate(sets: readonly MigrationSet[]): Promise<readonly AppliedMigration[]> {
    const applied = await this.asOwner((client) => migrate(client, sets));
    if (applied.length > 0) this.#names.forget();
    return applied;
  }

  pendingMigrations(sets: readonly MigrationSet[]): Promise<readonly AppliedMigration[]> {
    return this.asOwner((client) => pendingMigrations(client, sets));
  }

  async removeGraph(graphId: string, sets: readonly MigrationSet[], signal: AbortSignal): Promise<number> {
    checkGraphId(graphId);
    let removed = 0;
    for (const table of await this.asOwner((owner) => tablesOfGraphs(owner, sets))) {
      let count: number;
      do {
        signal.throwIfAborted();
        // A session for each batch, so that transactions of other graphs get their turn on the embedded engine.
        count = await this.asOwner((owner) => removeRows(owner, table, graphId));
        removed += count;
      } while (count === maxRowsPerBatch);
    }
    return removed;
  }

  async listen(channel: string, wake: (payload: string) => void): Promise<() => Promise<void>> {
    checkChannel(channel);
    try {
      return await this.#connections.listen(channel, wake);
    } catch (error) {
      throw toStoreError(error);
    }
  }

  async notify(channel: string, payload: string): Promise<void> {
    checkChannel(channel);
    assert(Buffer.byteLength(payload) <= maxPayloadBytes, `A payload has at most ${maxPayloadBytes} bytes.`);
    try {
      await this.#connections.pool.query('SELECT pg_notify($1, $2)', [channel, payload]);
    } catch (error) {
      throw toStoreError(error);
    }
  }

  async health(): Promise<StoreHealth> {
    try {
      await this.#connections.pool.query('SELECT 1');
      return { reachable: true, driver: this.driver };
    } catch (error) {
      const reason = toStoreError(error);
      // A database that reports missing migrations is reachable.
      return { reachable: reason instanceof StoreError && reason.code === 'migration', driver: this.driver };
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#upkeep.idle().then(() => this.#connections.close());
    return this.#closing;
  }

  async #acquire(): Promise<pg.PoolClient> {
    try {
      return await this.#connections.pool.connect();
    } catch (error) {
      throw toStoreError(error);
    }
  }

  /** Runs `work` as the table owner, past policies and grants. Not in the port `Store`, so parts cannot call it. */
  async asOwner<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
    try {
      return await this.#connections.asOwner(work);
    } catch (error) {
      throw toStoreError(error);
    }
  }

  #limitOf(options: TransactionOptions): number {
    const maxStatementMs = options.maxStatementMs ?? this.#connections.maxStatementMs;
    assert(
      Number.isInteger(maxStatementMs) && maxStatementMs > 0 && maxStatementMs <= longestStatementMs,
      `A statement may take between 1 and ${longestStatementMs} milliseconds.`,
    );
    return maxStatementMs;
  }
}

/** The settings that the row-level security policies compare with. Both are always set so that no old scope remains. */
function settingsOf(scope: Scope): string {
  if (scope === 'kernel') return `SET LOCAL pacioli.graph_id='';SET LOCAL pacioli.scope='kernel';`;
  checkGraphId(scope.graphId);
  return `SET LOCAL pacioli.graph_id='${scope.graphId}';SET LOCAL pacioli.scope='graph';`;
}

/** The id is interpolated into SQL as a literal, so the pattern must exclude quotes. */
function checkGraphId(graphId: string): void {
  assert(graphIdPattern.test(graphId), 'A graph id has 1 to 64 letters, digits or underscores.');
}

function checkChannel(channel: string): void {
  assert(channelPattern.test(channel), 'A channel has 1 to 63 lower-case letters, digits or underscores.');
}
