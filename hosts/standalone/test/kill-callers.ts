import { expect } from 'vitest';
import type { Loose } from '../../../plugins/ledger/test/books.ts';

/** The most attempts of a caller for one request. */
const maxTries = 200;

/** The month a number of months ago. */
function monthsAgo(count: number): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, 1)).toISOString().slice(0, 7);
}
export const [closing, open] = [monthsAgo(2), monthsAgo(1)];

interface Request {
  readonly name: string;
  readonly body: object;
  readonly key: string;
}

/** The state of an event as its caller knows it from acknowledged responses. */
interface Known {
  readonly id: string;
  readonly day: string;
  status: string;
  entry: 'none' | 'draft' | 'posted' | 'reversed';
  cents: number;
}

/** An unanswered request with the handler of its response. */
interface Waiting {
  readonly request: Request;
  readonly heard: (result: Loose) => void;
}

interface Answered {
  readonly status: number;
  readonly body: Loose;
}

/** The connection of all callers, until one of them notices that the server is gone. */
export interface Line {
  readonly accounts: readonly string[];
  isCut(): boolean;
  send(request: Request): Promise<Answered | undefined>;
  query(text: string): Promise<Loose | undefined>;
}

/** A caller with its own day of each month, so that no other caller changes its entries. */
export class Caller {
  readonly known: Known[] = [];
  readonly #place: number;
  #turn = 0;
  #waiting: Waiting | undefined;

  constructor(place: number) {
    this.#place = place;
  }

  /** Writes until the connection is lost, after first repeating an unanswered request with the same key. */
  async write(line: Line): Promise<void> {
    while (await this.settle(line)) this.#waiting = await this.#next(line);
  }

  /** Repeats an unanswered request. Returns false when it is unanswered again. */
  async settle(line: Line): Promise<boolean> {
    if (this.#waiting === undefined) return !line.isCut();
    const { request, heard } = this.#waiting;
    const answer = await insist(line, request);
    if (answer === undefined) return false;
    this.#waiting = undefined;
    if (answer.status === 200) heard(answer.body.result);
    return true;
  }

  async #next(line: Line): Promise<Waiting | undefined> {
    this.#turn += 1;
    const turn = this.#turn;
    const key = `c${this.#place}-${turn}`;
    const event = this.known.at(-1);
    const kind = turn % 8;
    if (event !== undefined && kind === 2 && event.entry === 'draft') return this.#edit(line, event, key);
    if (event !== undefined && kind === 4 && event.entry === 'posted') return this.#reverse(line, event, key);
    const move = { 6: 'voided', 7: 'committed' }[kind];
    if (event !== undefined && move !== undefined && event.status !== 'voided' && event.entry !== 'posted') {
      const heard = (): void => {
        if (move === 'committed' && event.entry === 'none') event.entry = 'draft';
        if (move === 'voided') event.entry = 'none';
        event.status = move;
      };
      return { request: { name: 'update-event-block', body: { event_id: event.id, transition_to: move }, key }, heard };
    }
    return this.#record(line, kind, key);
  }

  #record(line: Line, kind: number, key: string): Waiting {
    const mode = (['draft', 'draft', 'posted', 'posted', 'captured'] as const)[this.#turn % 5] ?? 'draft';
    const month = kind % 2 === 0 ? open : closing;
    const day = `${month}-${String(this.#place + 1).padStart(2, '0')}`;
    const cents = this.#turn * 100 + this.#place;
    const status = mode === 'posted' ? 'posted' : 'draft';
    const metadata = { posting_date: day, memo: key, status, line_items: legs(line, cents) };
    const more = { external_id: key, apply_handlers: mode !== 'captured' };
    const body = { ...event('journal_entry_recorded', metadata), ...more };
    const heard = (made: Loose): void => {
      const entry = mode === 'captured' ? 'none' : mode;
      this.known.push({ id: made.id, day, status: made.status, entry, cents });
    };
    return { request: { name: 'create-event-block', body, key }, heard };
  }

  async #edit(line: Line, event: Known, key: string): Promise<Waiting | undefined> {
    const entryId = await entryOf(line, event);
    if (entryId === undefined) return undefined;
    const cents = event.cents + 1;
    const body = { entry_id: entryId, line_items: legs(line, cents) };
    const heard = (): void => {
      event.cents = cents;
    };
    return { request: { name: 'update-journal-entry', body, key }, heard };
  }

  async #reverse(line: Line, original: Known, key: string): Promise<Waiting | undefined> {
    const entryId = await entryOf(line, original);
    if (entryId === undefined) return undefined;
    const day = `${open}-${String(this.#place + 1).padStart(2, '0')}`;
    const body = event('journal_entry_reversed', { entry_id: entryId, posting_date: day });
    const heard = (made: Loose): void => {
      original.entry = 'reversed';
      this.known.push({ id: made.id, day, status: made.status, entry: 'posted', cents: original.cents });
    };
    return { request: { name: 'create-event-block', body, key }, heard };
  }
}

function event(eventType: string, metadata: object): object {
  const occurredAt = `${open}-01T12:00:00Z`;
  return {
    event_type: eventType,
    event_category: 'adjustment',
    occurred_at: occurredAt,
    source: 'manual',
    apply_handlers: true,
    metadata,
  };
}

function legs({ accounts: [debit, credit] }: Line, cents: number): readonly object[] {
  return [
    { element_id: debit, debit_amount: cents, credit_amount: 0 },
    { element_id: credit, debit_amount: 0, credit_amount: cents },
  ];
}

async function entryOf(line: Line, { id, day }: Known): Promise<string | undefined> {
  const found = await line.query(
    `{ journalEntries(startDate: "${day}", endDate: "${day}", limit: 1000) { entries { id triggeredByEventId } } }`,
  );
  return found?.journalEntries.entries.find((entry: Loose) => entry.triggeredByEventId === id)?.id;
}

/** Alternately closes and reopens the older month. */
export class Closer {
  isClosed = false;
  #turn = 0;
  #isWaiting = false;

  async write(line: Line): Promise<void> {
    while (await this.settle(line)) {
      this.#turn += 1;
      this.#isWaiting = true;
    }
  }

  async settle(line: Line): Promise<boolean> {
    if (!this.#isWaiting) return !line.isCut();
    const name = this.isClosed ? 'reopen-period' : 'close-period';
    const body = { period: closing, ...(this.isClosed ? { reason: 'by chance' } : {}) };
    const answer = await insist(line, { name, body, key: `closer-${this.#turn}` });
    if (answer === undefined) return false;
    expect([name, answer.status, answer.body.detail]).toEqual([name, 200, undefined]);
    this.#isWaiting = false;
    this.isClosed = !this.isClosed;
    return true;
  }
}

/** Sends a request until it is accepted or rejected, because a write conflict requires a retry (ledger L-9). */
async function insist(line: Line, request: Request): Promise<Answered | undefined> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const answer = await line.send(request);
    if (answer === undefined || answer.status === 200 || answer.status === 422) return answer;
    expect([request.name, answer.status, answer.body]).toEqual([
      request.name,
      409,
      expect.objectContaining({ detail: expect.not.stringContaining('already ingested') }),
    ]);
  }
  throw new Error(`The request ${request.key} was told to come again ${maxTries} times.`);
}
