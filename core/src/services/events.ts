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
}

export const eventPublisher: Token<EventPublisher> = createToken('kernel.events');

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

  async publish<T>(tx: Transaction, event: EventType<T>, payload: T, graphId?: string): Promise<void> {
    if (!this.#isSubscribed(event.name)) return;
    await tx.query(sql`
      INSERT INTO kernel_outbox (id, graph_id, topic, payload, next_at)
      VALUES (${this.#ids.make('evt')}, ${graphId ?? null}, ${event.name}, ${JSON.stringify(payload)}::text::jsonb,
        ${this.#clock.now()})`);
    await tx.query(sql`SELECT pg_notify(${workChannel}, '')`);
  }
}
