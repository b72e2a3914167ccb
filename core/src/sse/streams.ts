import { sql } from 'kysely';
import type { Caller } from '../define/context.ts';
import type { StreamAnswer } from '../define/route.ts';
import { ServiceError } from '../errors/service-error.ts';
import { type OperationEvent, operation_channel, readEvents, terminalStates } from '../jobs/events.ts';
import type { OperationRow, Operations } from '../jobs/operations.ts';
import type { Clock, Ids } from '../services/kernel-tokens.ts';
import { createToken } from '../services/token.ts';
import type { KernelSettings } from '../settings/kernel-settings.ts';
import type { Store } from '../store/store.ts';
import { Bell } from './bell.ts';
import { StreamSlots } from './stream-slots.ts';

/** Numbers of platform V-7 to V-11. */
export interface StreamLimits {
  readonly keepalive_ms: number;
  readonly slot_ms: number;
  readonly stream_ms_max: number;
  readonly queue_poll_ms: number;
}

export const streamLimits: StreamLimits = {
  keepalive_ms: 10_000,
  slot_ms: 30_000,
  stream_ms_max: 3_600_000,
  queue_poll_ms: 2_000,
};

/** Events read from the store at a time; a stream holds no more than this in memory. */
const events_per_read_max = 100;

/** What streams are made of. */
export interface StreamParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly operations: Operations;
  readonly settings: Pick<KernelSettings, 'sse'>;
}

interface StreamTurn {
  readonly status: string;
  readonly events: readonly OperationEvent[];
}

/** Live streams of runs: stored events first, then new ones as they are written by any process (platform 11.2). */
export interface OperationStreams {
  readonly open_count: number;
  open(caller: Caller, operationId: string, fromSequence: number, signal: AbortSignal): Promise<StreamAnswer>;
  close(): Promise<void>;
}

export const operationStreams = createToken<OperationStreams>('kernel.operation-streams');

export class StoredOperationStreams implements OperationStreams {
  readonly #parts: StreamParts;
  readonly #limits: StreamLimits;
  readonly #watchers = new Map<string, Set<() => void>>();
  readonly #closing = new AbortController();
  /** Reads under way, by operation and by the sequence number they start at. */
  readonly #reads = new Map<string, Map<number, Promise<StreamTurn>>>();
  readonly #slots: StreamSlots;
  #listening: Promise<() => Promise<void>> | undefined;

  constructor(parts: StreamParts, limits: StreamLimits = streamLimits) {
    this.#parts = parts;
    this.#limits = limits;
    this.#slots = new StreamSlots(parts, limits.slot_ms, parts.settings.sse.maxPerUser);
  }

  /** How many streams this process serves at the moment. */
  get open_count(): number {
    return this.#slots.size;
  }

  async open(caller: Caller, operationId: string, fromSequence: number, signal: AbortSignal): Promise<StreamAnswer> {
    if (!this.#parts.settings.sse.enabled) throw streamsAreOff();
    const row = await this.#parts.operations.find(caller, operationId, 'read');
    const slot = await this.#slots.take(caller.userId);
    this.#listening ??= this.#parts.store.listen(operation_channel, (id) => this.#wake(id));
    await this.#listening;
    return {
      kind: 'stream',
      status: 200,
      contentType: 'text/event-stream; charset=utf-8',
      headers: { 'Cache-Control': 'no-cache', 'X-Accel-Buffering': 'no' },
      eager: true,
      chunks: this.#follow(row, Math.max(1, fromSequence), slot, signal),
    };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const watchers of this.#watchers.values()) for (const wake of watchers) wake();
    const stop = await this.#listening;
    await stop?.();
    await this.#slots.close();
  }

  /** Without an id, notifications may have been missed, so everybody looks. */
  #wake(operationId: string): void {
    // A read that is under way may be older than what rang, so nobody joins it any more.
    if (operationId === '') this.#reads.clear();
    else this.#reads.delete(operationId);
    const heard = operationId === '' ? [...this.#watchers.values()] : [this.#watchers.get(operationId) ?? []];
    for (const watchers of heard) for (const wake of watchers) wake();
  }

  /**
   * Subscribes first, then reads, so nothing falls between replay and live. Every event comes out of the store in its
   * order; a slow reader only reads later, so nothing is queued for it and nothing can overflow (platform V-5, V-10).
   */
  async *#follow(row: OperationRow, from: number, slot: string, signal: AbortSignal): AsyncGenerator<string> {
    const bell = new Bell();
    const wake = (): void => bell.ring();
    const watchers = this.#watchers.get(row.id) ?? new Set();
    this.#watchers.set(row.id, watchers.add(wake));
    signal.addEventListener('abort', wake);
    const started = Date.now();
    let next = from;
    let queue = '';
    try {
      const connectionId = this.#parts.ids.make('con');
      yield `retry: 1000\n\n${this.#frame('connected', row.id, { connection_id: connectionId, from_sequence: from, status: row.status })}`;
      for (;;) {
        const { events, status } = await this.#readTogether(row.id, next);
        for (const event of events) {
          next = event.sequence + 1;
          yield `id: ${event.sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(event.payload)}\n\n`;
        }
        if (events.length === events_per_read_max) continue;
        const isOver =
          terminalStates.has(status) ||
          Date.now() - started > this.#limits.stream_ms_max ||
          signal.aborted ||
          this.#closing.signal.aborted;
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
        // Silence is no reason to ask the store: a change rings. Only a place in the queue changes without an event.
        while (!(await bell.wait(status === 'pending' ? this.#limits.queue_poll_ms : this.#limits.keepalive_ms))) {
          if (status === 'pending') break;
          yield this.#frame('keepalive', row.id, {});
          if (Date.now() - started > this.#limits.stream_ms_max) break;
        }
      }
    } finally {
      signal.removeEventListener('abort', wake);
      watchers.delete(wake);
      if (watchers.size === 0) this.#watchers.delete(row.id);
      await this.#slots.give(slot);
    }
  }

  /** All watchers who wait at the same place of a run share one read. */
  #readTogether(operationId: string, from: number): Promise<StreamTurn> {
    const ofRun = this.#reads.get(operationId) ?? new Map<number, Promise<StreamTurn>>();
    this.#reads.set(operationId, ofRun);
    const known = ofRun.get(from);
    if (known !== undefined) return known;
    const reading = this.#read(operationId, from).finally(() => {
      ofRun.delete(from);
      if (ofRun.size === 0 && this.#reads.get(operationId) === ofRun) this.#reads.delete(operationId);
    });
    ofRun.set(from, reading);
    return reading;
  }

  #frame(event: string, operationId: string, fields: object): string {
    const data = { operation_id: operationId, timestamp: this.#parts.clock.now().toISOString(), ...fields };
    return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
  }

  async #read(operationId: string, from: number): Promise<StreamTurn> {
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
}

function streamsAreOff(): ServiceError {
  const message = 'Event streams are switched off. Ask for the status of the operation instead.';
  return new ServiceError('unavailable', 'SERVICE_UNAVAILABLE', message, { headers: { 'Retry-After': '3600' } });
}
