import { sql } from 'kysely';
import { createToken, type Token } from '../container/token.ts';
import type { Log } from '../define/context.ts';
import type { Clock, Ids } from '../services/kernel-tokens.ts';
import type { Store, Transaction } from '../store/store.ts';

/** The interval for writing counted calls, in milliseconds. */
const flushMs = 60_000;
/** The most counters in memory; beyond it they are written at once. */
const maxCounters = 10_000;

/** One usage event (platform T-7). */
export interface UsageEvent {
  readonly graphId: string;
  readonly type: 'credit_consumption' | 'storage_snapshot' | 'backup_created' | 'query_executed';
  /** The unit depends on the type: hundredths of a credit, bytes, bytes, milliseconds. */
  readonly amount: number;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Recording the same id again changes nothing. */
  readonly id?: string;
}

export const usage: Token<Usage> = createToken('kernel.usage');

/** Records usage of graphs. API calls are counted in memory and written once a minute, one row per graph and day. */
export class Usage {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #log: Log;
  #counters = new Map<string, { readonly graph_id: string; readonly day: string; calls: number }>();
  #timer: NodeJS.Timeout | undefined;
  #flush: Promise<void> = Promise.resolve();

  constructor(use: { readonly store: Store; readonly clock: Clock; readonly ids: Ids; readonly log: Log }) {
    this.#store = use.store;
    this.#clock = use.clock;
    this.#ids = use.ids;
    this.#log = use.log;
  }

  /** Stores an event in the caller's transaction, in the scope of the kernel or of the graph. */
  async record(tx: Transaction, event: UsageEvent): Promise<void> {
    await tx.query(sql`
      INSERT INTO kernel_usage_event (id, graph_id, type, at, amount, details)
      VALUES (${event.id ?? this.#ids.make('use')}, ${event.graphId}, ${event.type}, ${this.#clock.now()},
        ${event.amount}, ${JSON.stringify(event.details ?? {})}::text::jsonb) ON CONFLICT (id) DO NOTHING`);
  }

  /** Counts one API call on a graph. */
  called(graphId: string): void {
    const day = this.#clock.now().toISOString().slice(0, 10);
    const key = `${day} ${graphId}`;
    const counter = this.#counters.get(key);
    if (counter !== undefined) counter.calls += 1;
    else this.#counters.set(key, { graph_id: graphId, day, calls: 1 });
    if (this.#counters.size >= maxCounters) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), flushMs).unref();
  }

  /** Writes the counted calls; those that fail to be written are kept. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flush = this.#flush.then(() => this.#write());
    await this.#flush;
  }

  async #write(): Promise<void> {
    const counted = this.#counters;
    if (counted.size === 0) return;
    this.#counters = new Map();
    // Sorted by key, so that two processes cannot deadlock.
    const rows = [...counted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
    try {
      await this.#store.transaction('kernel', (tx) =>
        tx.query(sql`
          INSERT INTO kernel_usage_event AS u (id, graph_id, type, at, amount)
          SELECT 'calls_' || graph_id || '_' || day, graph_id, 'api_call', (day || 'T00:00:00Z')::timestamptz, calls
          FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS row (graph_id text, day text, calls integer)
          ON CONFLICT (id) DO UPDATE SET amount = u.amount + excluded.amount`),
      );
    } catch (error) {
      this.#log.warn('counted calls could not be written', { error });
      for (const [key, { calls, ...row }] of counted) {
        const since = this.#counters.get(key);
        if (since === undefined) this.#counters.set(key, { ...row, calls });
        else since.calls += calls;
      }
    }
  }
}
