import { detailOf, requireSuccess } from '@pacioli/import-beancount/client';
import type { DemoEvent, DemoLine } from './company/demo-event.ts';
import { demoCompany } from './company.ts';
import { demoLimits } from './limits.ts';
import type { Books } from './read-graphql.ts';

// The exact message for an event that already exists (ledger L-83).
const alreadyIngested = 'Event already ingested for this source and external_id';

interface EventPoster extends Books {
  readonly accountIds: ReadonlyMap<string, string>;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Posts the events concurrently; an existing event counts as posted, any other error stops the run. */
export async function postEvents(poster: EventPoster, events: readonly DemoEvent[]): Promise<void> {
  const waiting = events.values();
  const total = events.length;
  let done = 0;
  let isStopped = false;
  const work = async (): Promise<void> => {
    // The workers share one iterator, so that each event is sent once; the first failure stops them all.
    for (const event of waiting) {
      if (isStopped) return;
      try {
        await postEvent(poster, event);
        done += 1;
        poster.onProgress?.(done, total);
      } catch (error) {
        isStopped = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: demoLimits.maxRequestsInFlight }, work));
}

async function postEvent(poster: EventPoster, event: DemoEvent): Promise<void> {
  const path = `/extensions/roboledger/${encodeURIComponent(poster.graphId)}/operations/create-event-block`;
  // The key is the same in every run, so a request of an interrupted run is replayed, not executed again.
  const answer = await poster.api.post(path, requestOf(event, poster.accountIds), `demo-${event.external_id}`);
  if (answer.status === 409 && detailOf(answer).startsWith(alreadyIngested)) return;
  requireSuccess(answer, `Posting "${event.description}" of ${event.date}`);
}

/** The request body of an event (ledger L-87, flat shape; L-89: past events are posted at once). */
function requestOf(event: DemoEvent, accountIds: ReadonlyMap<string, string>): unknown {
  return {
    event_type: event.event_type,
    event_category: event.event_category,
    event_class: 'economic',
    occurred_at: `${event.date}T00:00:00Z`,
    source: 'manual',
    external_id: event.external_id,
    amount: event.lines.reduce((sum, line) => sum + line.debitCents, 0),
    currency: demoCompany.currency,
    description: event.description,
    apply_handlers: true,
    metadata: {
      posting_date: event.date,
      memo: event.description,
      status: 'posted',
      line_items: event.lines.map((line) => lineItem(line, accountIds)),
    },
  };
}

function lineItem(line: DemoLine, accountIds: ReadonlyMap<string, string>): Record<string, unknown> {
  const elementId = accountIds.get(line.code);
  if (elementId === undefined) throw new RangeError(`The chart of the demo has no account ${line.code}.`);
  return {
    element_id: elementId,
    debit_amount: line.debitCents,
    credit_amount: line.creditCents,
    description: line.memo,
  };
}
