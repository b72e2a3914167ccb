import { type Clock, createToken, type Log, type Store, sql, type Transaction } from '@pacioli/core';
import type { GraphQueryCount } from '../rows.gen.ts';
import { accessesOf, addAccesses } from './last-access.ts';

const slotMs = 360_000;
const dayMs = 86_400_000;
/** The interval for writing the counts of this process. */
const flushMs = 10_000;
/** The most graphs counted in memory; beyond it the counts are written at once. */
const maxCounted = 5_000;

interface Counted {
  readonly graph_id: string;
  readonly slot: string;
  statements: number;
  failures: number;
  total_ms: number;
  last_at: string;
}

/** The statements of a graph in the last 24 hours, to a tenth of an hour. */
export interface DayOfQueries {
  readonly statements: number;
  /** Statements that ended by a time-out or a fault of the engine. */
  readonly failures: number;
  /** The mean until the first rows, in milliseconds; 0 without statements. */
  readonly meanMs: number;
  readonly lastAt: Date | null;
}

export const queryCounts = createToken<QueryCounts>('graph.query-counts');

/** Counts the statements of each graph, in memory first, because a write for each would cost more than the statement. */
export class QueryCounts {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: Log;
  #counted = new Map<string, Counted>();
  #timer: NodeJS.Timeout | undefined;
  #flush: Promise<void> = Promise.resolve();

  constructor(use: { readonly store: Store; readonly clock: Clock; readonly log: Log }) {
    this.#store = use.store;
    this.#clock = use.clock;
    this.#log = use.log;
  }

  note(graphId: string, { elapsedMs, isFailure }: { readonly elapsedMs: number; readonly isFailure: boolean }): void {
    const now = this.#clock.now();
    const slot = new Date(Math.floor(now.getTime() / slotMs) * slotMs).toISOString();
    const one = {
      graph_id: graphId,
      slot,
      statements: 1,
      failures: isFailure ? 1 : 0,
      total_ms: Math.round(elapsedMs),
      last_at: now.toISOString(),
    };
    this.#add(one);
    if (this.#counted.size >= maxCounted) void this.flush();
    else this.#flushLater();
  }

  #flushLater(): void {
    this.#timer ??= setTimeout(() => void this.flush(), flushMs).unref();
  }

  /** Reads the last day of a graph, with what this process has just counted; other processes lag a few seconds. */
  async lastDay(graphId: string): Promise<DayOfQueries> {
    await this.flush();
    const since = new Date(this.#clock.now().getTime() - dayMs);
    const [row] = await this.#store.transaction('kernel', (tx) => dayOf(tx, graphId, since), { readOnly: true });
    const statements = row?.statements ?? 0;
    return {
      statements,
      failures: row?.failures ?? 0,
      meanMs: statements === 0 ? 0 : (row?.total_ms ?? 0) / statements,
      lastAt: row?.last_at ?? null,
    };
  }

  /** Reads when each graph ran its last statement; graphs that never did are left out. */
  async lastAccess(graphIds: readonly string[]): Promise<ReadonlyMap<string, Date>> {
    await this.flush();
    const rows = await this.#store.transaction('kernel', (tx) => accessesOf(tx, graphIds), { readOnly: true });
    return new Map(rows.map(({ graph_id: id, last_at: at }) => [id, at]));
  }

  /** Writes the counts; those that fail to be written are kept. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flush = this.#flush.then(() => this.#write());
    await this.#flush;
  }

  async #write(): Promise<void> {
    const counted = this.#counted;
    if (counted.size === 0) return;
    this.#counted = new Map();
    // Sorted by key, so that two processes cannot deadlock.
    const rows = [...counted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
    const oldest = new Date(this.#clock.now().getTime() - dayMs - slotMs);
    try {
      await this.#store.transaction('kernel', async (tx) => {
        await addCounts(tx, rows);
        await addAccesses(tx, rows);
        await tx.query(sql`DELETE FROM graph_query_count WHERE slot < ${oldest}`);
      });
    } catch (error) {
      this.#log.warn('counted statements could not be written', { error });
      for (const row of rows) this.#add(row);
      this.#flushLater();
    }
  }

  #add(row: Counted): void {
    const key = `${row.graph_id} ${row.slot}`;
    const known = this.#counted.get(key);
    if (known === undefined) {
      this.#counted.set(key, { ...row });
      return;
    }
    known.statements += row.statements;
    known.failures += row.failures;
    known.total_ms += row.total_ms;
    if (row.last_at > known.last_at) known.last_at = row.last_at;
  }
}

function addCounts(tx: Transaction, rows: readonly Counted[]): Promise<unknown> {
  return tx.query(sql`
    INSERT INTO graph_query_count AS c (graph_id, slot, statements, failures, total_ms, last_at)
    SELECT graph_id, slot, statements, failures, total_ms, last_at
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS row (graph_id text, slot timestamptz,
      statements integer, failures integer, total_ms bigint, last_at timestamptz)
    ON CONFLICT (graph_id, slot) DO UPDATE SET statements = c.statements + excluded.statements,
      failures = c.failures + excluded.failures, total_ms = c.total_ms + excluded.total_ms,
      last_at = GREATEST(c.last_at, excluded.last_at)`);
}

type DayRow = Pick<GraphQueryCount, 'statements' | 'failures'> & {
  readonly total_ms: number;
  readonly last_at: Date | null;
};

function dayOf(tx: Transaction, graphId: string, since: Date): Promise<readonly DayRow[]> {
  return tx.query(sql<DayRow>`
    SELECT coalesce(sum(statements), 0)::integer AS statements, coalesce(sum(failures), 0)::integer AS failures,
      coalesce(sum(total_ms), 0)::float8 AS total_ms, max(last_at) AS last_at
    FROM graph_query_count WHERE graph_id = ${graphId} AND slot > ${since}`);
}
