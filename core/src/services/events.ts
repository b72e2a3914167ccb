import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { createToken, type Token } from '../container/token.ts';
import type { EventType } from '../define/event.ts';
import type { Transaction } from '../store/store.ts';
import type { Clock, Ids } from './kernel-tokens.ts';

/** The channel that notifies the worker and the relay of each process of new work. */
export const workChannel = 'pacioli_work';

/** Publishes business events from routes and jobs, which have no envelope. */
export interface EventPublisher {
  /** Stores the event in the caller's transaction; the relay delivers it after the commit, at least once. */
  publish<T>(tx: Transaction, event: EventType<T>, payload: T, graphId?: string): Promise<void>;
  /** Stores an event for each payload, with one statement. At most 1,000. */
  publishAll<T>(tx: Transaction, event: EventType<T>, payloads: readonly T[], graphId?: string): Promise<void>;
  /** False if no job of this deployment subscribes to the event, so that its payloads need not be read. */
  isSubscribed(event: EventType): boolean;
}

export const eventPublisher: Token<EventPublisher> = createToken('kernel.events');

/** Limit of the events of one statement. */
const maxPayloads = 1_000;

export class OutboxPublisher implements EventPublisher {
  readonly #ids: Ids;
  readonly #clock: Clock;
  /** Evaluated for each event, because the jobs of a set are known only after its services. */
  readonly #isSubscribed: (name: string) => boolean;

  constructor(use: { readonly ids: Ids; readonly clock: Clock; readonly isSubscribed: (name: string) => boolean }) {
    this.#ids = use.ids;
    this.#clock = use.clock;
    this.#isSubscribed = use.isSubscribed;
  }

  isSubscribed(event: EventType): boolean {
    return this.#isSubscribed(event.name);
  }

  publish<T>(tx: Transaction, event: EventType<T>, payload: T, graphId?: string): Promise<void> {
    return this.publishAll(tx, event, [payload], graphId);
  }

  async publishAll<T>(tx: Transaction, event: EventType<T>, payloads: readonly T[], graphId?: string): Promise<void> {
    if (payloads.length === 0 || !this.#isSubscribed(event.name)) return;
    assert(payloads.length <= maxPayloads, `At most ${maxPayloads} events are published at once.`);
    const ids = payloads.map(() => this.#ids.make('evt'));
    const texts = payloads.map((payload) => JSON.stringify(payload));
    await tx.query(sql`
      INSERT INTO kernel_outbox (id, graph_id, topic, payload, next_at)
      SELECT e.id, ${graphId ?? null}, ${event.name}, e.payload::jsonb, ${this.#clock.now()}
      FROM unnest(${ids}::text[], ${texts}::text[]) AS e (id, payload)`);
    await tx.query(sql`SELECT pg_notify(${workChannel}, '')`);
  }
}
