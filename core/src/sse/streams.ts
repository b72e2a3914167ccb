import { sql } from 'kysely';
import type { Caller } from '../define/context.ts';
import type { StreamAnswer } from '../define/route.ts';
import { ServiceError } from '../errors/service-error.ts';
import { operation_channel, readEvents, terminalStates } from '../jobs/events.ts';
import type { OperationRow, Operations } from '../jobs/operations.ts';
import type { Clock, Ids } from '../services/kernel-tokens.ts';
import { createToken } from '../services/token.ts';
import type { Store } from '../store/store.ts';

/** Numbers of platform V-7 to V-11. */
export interface StreamLimits {
  readonly streams_per_user_max: number;
  readonly keepalive_ms: number;
  readonly slot_ms: number;
  readonly stream_ms_max: number;
  readonly queue_poll_ms: number;
}

export const streamLimits: StreamLimits = {
  streams_per_user_max: 5,
  keepalive_ms: 10_000,
  slot_ms: 30_000,
  stream_ms_max: 3_600_000,
  queue_poll_ms: 2_000,
};

/** Events read from the store at a time; a stream holds no more than this in memory. */
const events_per_read_max = 100;

/** Live streams of runs: stored events first, then new ones as they are written by any process (platform 11.2). */
export interface OperationStreams {
  open(caller: Caller, operationId: string, fromSequence: number, signal: AbortSignal): Promise<StreamAnswer>;
  close(): Promise<void>;
}

export const operationStreams = createToken<OperationStreams>('kernel.operation-streams');

export class StoredOperationStreams implements OperationStreams {
  readonly #parts: { readonly store: Store; readonly clock: Clock; readonly ids: Ids; readonly operations: Operations };
  readonly #limits: StreamLimits;
  readonly #watchers = new Map<string, Set<() => void>>();
  readonly #closing = new AbortController();
  #listening: Promise<() => Promise<void>> | undefined;

  constructor(
    parts: { store: Store; clock: Clock; ids: Ids; operations: Operations },
    limits: StreamLimits = streamLimits,
  ) {
    this.#parts = parts;
    this.#limits = limits;
  }

  async open(caller: Caller, operationId: string, fromSequence: number, signal: AbortSignal): Promise<StreamAnswer> {
    const row = await this.#parts.operations.find(caller, operationId, 'read');
    const slot = await this.#takeSlot(caller.userId);
    this.#listening ??= this.#parts.store.listen(operation_channel, (id) => this.#wake(id));
    await this.#listening;
    return {
      kind: 'stream',
      status: 200,
      contentType: 'text/event-stream; charset=utf-8',
      headers: { 'Cache-Control': 'no-cache', 'X-Accel-Buffering': 'no' },
      eager: true,
      chunks: this.#follow(row, Math.max(1, fromSequence), slot, AbortSignal.any([signal, this.#closing.signal])),
    };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const stop = await this.#listening;
    await stop?.();
  }

  #wake(operationId: string): void {
    for (const wake of this.#watchers.get(operationId) ?? []) wake();
  }

  /**
   * Subscribes first, then reads, so nothing falls between replay and live. Every event comes out of the store in its
   * order; a slow reader only reads later, so nothing is queued for it and nothing can overflow (platform V-5, V-10).
   */
  async *#follow(row: OperationRow, from: number, slot: string, signal: AbortSignal): AsyncGenerator<string> {
    const bell = new Bell();
    const wake = (): void => bell.ring();
    const stop = (): void => bell.ring();
    const watchers = this.#watchers.get(row.id) ?? new Set();
    this.#watchers.set(row.id, watchers.add(wake));
    signal.addEventListener('abort', stop);
    const started = Date.now();
    let next = from;
    let queue = '';
    try {
      const connectionId = this.#parts.ids.make('con');
      yield `retry: 1000\n\n${this.#frame('connected', row.id, { connection_id: connectionId, from_sequence: from, status: row.status })}`;
      for (;;) {
        const { events, status } = await this.#read(row.id, next);
        for (const event of events) {
          next = event.sequence + 1;
          yield `id: ${event.sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(event.payload)}\n\n`;
        }
        if (events.length === events_per_read_max) continue;
        const isOver =
          terminalStates.has(status) || Date.now() - started > this.#limits.stream_ms_max || signal.aborted;
        if (isOver) {
          yield this.#frame('stream_end', row.id, {
            status,
            message: terminalStates.has(status) ? `The operation is ${status}.` : 'Connect again to go on.',
          });
          return;
        }
        const waited = status === 'pending' ? await this.#queueUpdate(row) : undefined;
        if (waited !== undefined && waited.key !== queue) {
          queue = waited.key;
          yield waited.frame;
        }
        const rang = await bell.wait(status === 'pending' ? this.#limits.queue_poll_ms : this.#limits.keepalive_ms);
        if (!rang && status !== 'pending') yield this.#frame('keepalive', row.id, {});
        if (!rang) await this.#renewSlot(slot);
      }
    } finally {
      signal.removeEventListener('abort', stop);
      watchers.delete(wake);
      if (watchers.size === 0) this.#watchers.delete(row.id);
      await this.#parts.store
        .transaction('kernel', (tx) => tx.query(sql`DELETE FROM kernel_stream_slot WHERE id = ${slot}`))
        .catch(() => undefined); // Its lease ends by itself.
    }
  }

  #frame(event: string, operationId: string, fields: object): string {
    const data = { operation_id: operationId, timestamp: this.#parts.clock.now().toISOString(), ...fields };
    return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
  }

  async #read(operationId: string, from: number) {
    return this.#parts.store.transaction('kernel', async (tx) => {
      // The state is read first: an event written in between is found by the next turn, never lost.
      const [row] = await tx.query(
        sql<{ status: string }>`SELECT status FROM kernel_operation WHERE id = ${operationId}`,
      );
      return {
        status: row?.status ?? 'cancelled',
        events: await readEvents(tx, operationId, from, events_per_read_max),
      };
    });
  }

  async #queueUpdate(row: OperationRow): Promise<{ key: string; frame: string }> {
    const { position, depth } = await this.#parts.operations.queuePosition(row);
    return {
      key: `${position}/${depth}`,
      frame: this.#frame('queue_update', row.id, {
        position,
        queue_position: position,
        depth,
        estimated_wait_seconds: null,
      }),
    };
  }

  async #takeSlot(userId: string): Promise<string> {
    const id = this.#parts.ids.make('slot');
    const now = this.#parts.clock.now();
    const taken = await this.#parts.store.transaction('kernel', async (tx) => {
      await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`pacioli.stream.${userId}`}, 0))`);
      await tx.query(sql`DELETE FROM kernel_stream_slot WHERE user_id = ${userId} AND expires_at <= ${now}`);
      return tx.query(sql<{ id: string }>`
        INSERT INTO kernel_stream_slot (id, user_id, expires_at)
        SELECT ${id}, ${userId}, ${new Date(now.getTime() + this.#limits.slot_ms)}
        WHERE (SELECT count(*) FROM kernel_stream_slot WHERE user_id = ${userId}) < ${this.#limits.streams_per_user_max}
        RETURNING id`);
    });
    if (taken.length === 1) return id;
    throw new ServiceError(
      'rate_limited',
      'CONCURRENCY_LIMIT',
      `Too many concurrent SSE connections (limit: ${this.#limits.streams_per_user_max})`,
      {
        headers: { 'Retry-After': '5' },
      },
    );
  }

  async #renewSlot(slot: string): Promise<void> {
    const until = new Date(this.#parts.clock.now().getTime() + this.#limits.slot_ms);
    await this.#parts.store.transaction('kernel', (tx) =>
      tx.query(sql`UPDATE kernel_stream_slot SET expires_at = ${until} WHERE id = ${slot}`),
    );
  }
}

/** Waits for a ring or for time to pass. A ring while nobody waits is remembered. */
class Bell {
  #rung = false;
  #answer: (() => void) | undefined;

  ring(): void {
    this.#rung = true;
    this.#answer?.();
  }

  async wait(ms: number): Promise<boolean> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#answer = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    const rang = this.#rung;
    this.#rung = false;
    this.#answer = undefined;
    return rang;
  }
}
