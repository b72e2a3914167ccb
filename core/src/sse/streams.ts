import { sql } from 'kysely';
import { createToken } from '../container/token.ts';
import type { Caller } from '../define/context.ts';
import { eventStream, type StreamAnswer } from '../define/route.ts';
import { ServiceError } from '../errors/service-error.ts';
import { type OperationEvent, operationChannel, readEvents, terminalStates } from '../jobs/events.ts';
import { Notifier } from '../jobs/notifier.ts';
import type { Operations } from '../jobs/operations.ts';
import type { KernelOperation } from '../rows.gen.ts';
import type { Clock, Ids } from '../services/kernel-tokens.ts';
import type { KernelSettings } from '../settings/kernel-settings.ts';
import type { Store } from '../store/store.ts';
import { StreamSlots } from './stream-slots.ts';

/** The limits of platform V-7 to V-11. */
export interface StreamLimits {
  readonly keepaliveMs: number;
  readonly slotMs: number;
  readonly maxStreamMs: number;
  readonly queuePollMs: number;
}

export const streamLimits: StreamLimits = {
  keepaliveMs: 10_000,
  slotMs: 30_000,
  maxStreamMs: 3_600_000,
  queuePollMs: 2_000,
};

/** The most events per read of the store, which bounds the memory of a stream. */
const maxEventsPerRead = 100;

/** The services that streams use. */
export interface StreamParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly operations: Operations;
  readonly settings: Pick<KernelSettings, 'sse'>;
}

/** A run at the time its stream was opened. */
interface StreamedRun {
  readonly id: string;
  readonly status: string;
}

/** The result of one read of a run, for its watchers. */
interface StreamTurn {
  /** Undefined for a run without a record. */
  readonly status: string | undefined;
  /** The frames of its events from the requested sequence number. */
  readonly text: string;
  /** The next sequence number to read. */
  readonly next: number;
  readonly hasMore: boolean;
  /** Its position in the queue while it waits for a worker. */
  readonly place: { readonly position: number; readonly depth: number | null } | undefined;
}

/** Streams the events of runs: stored ones first, then new ones of any process (platform 11.2). */
export interface OperationStreams {
  readonly openCount: number;
  open(caller: Caller, operationId: string, fromSequence: number, signal: AbortSignal): Promise<StreamAnswer>;
  close(): Promise<void>;
}

export const operationStreams = createToken<OperationStreams>('kernel.operation-streams');

export class StoredOperationStreams implements OperationStreams {
  readonly #parts: StreamParts;
  readonly #limits: StreamLimits;
  readonly #watchers = new Map<string, Set<() => void>>();
  readonly #closing = new AbortController();
  /** Reads in progress, by operation and by the sequence number they start at. */
  readonly #reads = new Map<string, Map<number, Promise<StreamTurn>>>();
  readonly #slots: StreamSlots;
  #listening: Promise<() => Promise<void>> | undefined;

  constructor(parts: StreamParts, limits: StreamLimits = streamLimits) {
    this.#parts = parts;
    this.#limits = limits;
    this.#slots = new StreamSlots(parts, {
      purpose: 'operation',
      slotMs: limits.slotMs,
      maxPerUser: parts.settings.sse.maxPerUser,
    });
  }

  /** The number of streams that this process is serving. */
  get openCount(): number {
    return this.#slots.size;
  }

  async open(caller: Caller, operationId: string, fromSequence: number, signal: AbortSignal): Promise<StreamAnswer> {
    if (!this.#parts.settings.sse.enabled) throw streamsAreOff();
    const row = await this.#parts.operations.find(caller, operationId, 'read');
    const slot = await this.#slots.take(caller.userId);
    try {
      this.#listening ??= this.#parts.store.listen(operationChannel, (id) => this.#wake(id));
      await this.#listening;
    } catch (error) {
      // The next stream retries listening.
      this.#listening = undefined;
      await this.#slots.give(slot);
      throw error;
    }
    return eventStream(this.#follow({ id: row.id, status: row.status }, Math.max(1, fromSequence), slot, signal));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const watchers of this.#watchers.values()) for (const wake of watchers) wake();
    const stop = await this.#listening;
    await stop?.();
    await this.#slots.close();
  }

  /** Without an id, notifications may have been missed, so all watchers read. */
  #wake(operationId: string): void {
    // A read in progress may predate the notification, so later watchers must not share it.
    if (operationId === '') this.#reads.clear();
    else this.#reads.delete(operationId);
    const heard = operationId === '' ? [...this.#watchers.values()] : [this.#watchers.get(operationId) ?? []];
    for (const watchers of heard) for (const wake of watchers) wake();
  }

  /**
   * Subscribes before it reads, so that no event is lost between replay and live. Every event comes from the store in
   * order; a slow client only delays its reads, so nothing is queued and nothing can overflow (platform V-5, V-10).
   */
  async *#follow({ id, status }: StreamedRun, from: number, slot: string, signal: AbortSignal): AsyncGenerator<string> {
    const notifier = new Notifier();
    const wake = (): void => notifier.notify();
    const watchers = this.#watchers.get(id) ?? new Set();
    this.#watchers.set(id, watchers.add(wake));
    signal.addEventListener('abort', wake);
    const started = Date.now();
    let spoken = started;
    let next = from;
    let queue = '';
    try {
      const connected = { connection_id: this.#parts.ids.make('con'), from_sequence: from, status };
      yield `retry: 1000\n\n${this.#frame('connected', id, connected)}`;
      for (;;) {
        const turn = await this.#readTogether(id, next);
        if (turn.text !== '') yield turn.text;
        next = Math.max(next, turn.next);
        if (turn.hasMore) continue;
        const place = turn.place === undefined ? '' : `${turn.place.position}/${turn.place.depth}`;
        if (turn.place !== undefined && place !== queue) yield this.#frame('queue_update', id, turn.place);
        if (turn.text !== '' || place !== queue) spoken = Date.now();
        queue = place;
        // A call whose result the domain keeps has no record; a run whose record is gone was removed with its user.
        const state = turn.status ?? (terminalStates.has(status) ? status : 'cancelled');
        const isTooOld = Date.now() - started > this.#limits.maxStreamMs;
        if (terminalStates.has(state) || isTooOld || signal.aborted || this.#closing.signal.aborted) {
          const message = terminalStates.has(state) ? `The operation is ${state}.` : 'Reconnect to continue.';
          yield this.#frame('stream_end', id, { status: state, message });
          return;
        }
        // Changes notify, so a timeout needs no read; only the position in the queue changes without an event.
        const { keepaliveMs, queuePollMs, maxStreamMs } = this.#limits;
        const isQueued = turn.status === 'pending';
        while (!(await notifier.wait(isQueued ? Math.min(queuePollMs, keepaliveMs) : keepaliveMs))) {
          if (Date.now() - spoken >= keepaliveMs) {
            yield this.#frame('keepalive', id, {});
            spoken = Date.now();
          }
          if (isQueued || Date.now() - started > maxStreamMs) break;
        }
      }
    } finally {
      signal.removeEventListener('abort', wake);
      watchers.delete(wake);
      if (watchers.size === 0) this.#watchers.delete(id);
      await this.#slots.give(slot);
    }
  }

  /** All watchers at the same sequence number of a run share one read. */
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

  /** Reads new events and renders their frames once for all watchers. */
  async #read(operationId: string, from: number): Promise<StreamTurn> {
    return this.#parts.store.transaction('kernel', async (tx) => {
      // Reads the state first: an event written in between is found by the next turn, never lost.
      const [row] = await tx.query(sql<
        Pick<KernelOperation, 'status'> & { readonly position: number | null; readonly depth: number | null }
      >`
        SELECT o.status, q.position, q.depth FROM kernel_operation o LEFT JOIN LATERAL (
          SELECT count(*) FILTER (WHERE p.created_at <= o.created_at) AS position, count(*) AS depth
          FROM kernel_operation p WHERE p.status = 'pending') q ON o.status = 'pending'
        WHERE o.id = ${operationId}`);
      const events = await readEvents(tx, operationId, from, maxEventsPerRead);
      const { position = null, depth = null } = row ?? {};
      return {
        status: row?.status,
        text: events.map(frameOf).join(''),
        next: (events.at(-1)?.sequence ?? from - 1) + 1,
        hasMore: events.length === maxEventsPerRead,
        place:
          position === null ? undefined : { position, queue_position: position, depth, estimated_wait_seconds: null },
      };
    });
  }
}

function frameOf(event: OperationEvent): string {
  return `id: ${event.sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(event.payload)}\n\n`;
}

function streamsAreOff(): ServiceError {
  const message = 'Event streams are disabled. Poll the status of the operation instead.';
  return new ServiceError('unavailable', 'SERVICE_UNAVAILABLE', message, { headers: { 'Retry-After': '3600' } });
}
