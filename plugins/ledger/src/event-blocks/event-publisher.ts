import { notFound, ServiceError, type Transaction } from '@pacioli/core';
import { type JournalDecision, writeJournal } from '../journal/index.ts';
import { isRetraction } from './event-life.ts';
import type { EventReads, EventRow } from './event-reads.ts';
import type { EventSources } from './event-sources.ts';

export interface Publication {
  readonly event_id: string;
  readonly status: string;
  readonly qb_external_id: string | null;
}

interface Publishing extends JournalDecision {
  readonly event: EventRow;
}

/**
 * Publishes an event to the system that keeps the official books. A graph without a connection keeps them itself, so
 * the event stays as it is; only events that can never be published are refused (ledger L-98).
 */
export class EventPublisher {
  readonly #events: EventReads;
  readonly #sources: EventSources;

  constructor(events: EventReads, sources: EventSources) {
    this.#events = events;
    this.#sources = sources;
  }

  /** Writes nothing yet, but takes the locks and checks of a write, because publishing will post the drafts. */
  publish(tx: Transaction, eventId: string, connectionId: string | null, now: Date): Promise<Publication> {
    return writeJournal<Publishing, Publication>(tx, {
      now,
      decide: async () => {
        const event = await this.#events.find(tx, eventId);
        if (event === undefined) throw notFound(`Event not found: ${eventId}`);
        const date = (event.effective_at ?? event.occurred_at).toISOString().slice(0, 10);
        return { subject: `Event ${eventId}`, event, dates: { changed: [date] }, locksRows: false };
      },
      apply: async (_months, { event }) => {
        if (isRetraction(event.status)) {
          throw new ServiceError(
            'conflict',
            'EVENT_RETRACTED',
            `Event ${eventId} is ${event.status}; it cannot be published.`,
          );
        }
        await this.#sources.requireConnection(tx, 'connection_id', connectionId);
        return { event_id: event.id, status: event.status, qb_external_id: null };
      },
    });
  }
}
