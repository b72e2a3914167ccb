/**
 * Goal: the service for other plugins and the operations write the same books. Method: random steps are taken through
 * the operations on one graph and through the service on another; then all rows of both are compared, with ids replaced
 * by their order.
 *
 * @module-tag sessions
 */
import blocks from '@pacioli/blocks';
import { definePlugin, isServiceError, sql, type Transaction } from '@pacioli/core';
import taxonomy from '@pacioli/taxonomy';
import type { TestClient, TestService } from '@pacioli/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import ledger, { type BookkeepingAuthor, type BookkeepingEvent, bookkeeping } from '../src/index.ts';
import type { LedgerEntry } from '../src/rows.gen.ts';
import { type Books, openBooks, startLedger } from './books.ts';
import { claimSource } from './examples/pay-claim.ts';
import { lawRuns, maxLawMs } from './law-runs.ts';
import { today } from './model-requests.ts';
import { kinds, type RecordStep, recordStep } from './model-steps.ts';

const now = `${today}T12:00:00Z`;
const source = 'expense_claims';
const claims = definePlugin({
  name: 'claims',
  title: 'Expense claims',
  version: '1.0.0',
  kernel: '^0.1.0',
  dependsOn: ['ledger'],
  contributions: [claimSource],
});

let service: TestService;
let user: TestClient;
let userId: string;
beforeAll(async () => {
  ({ service, user } = await startLedger(now, { plugins: [taxonomy, blocks, ledger, claims] }));
  userId = (await user.get('/v1/user')).body.id;
});
afterAll(() => service.close());

type Step =
  | RecordStep
  | { readonly do: 'repeat' | 'commit'; readonly record: number }
  | { readonly do: 'reverse'; readonly record: number; readonly day: string }
  | { readonly do: 'close' };

const number = fc.nat(20);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: recordStep },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('repeat', 'commit'), record: number }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('reverse' as const),
      record: number,
      day: fc.constantFrom('2026-02-10', '2026-04-20', '2026-06-10'),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'close' }) },
);

const occurredAt = '2026-03-15T10:00:00.000Z';

const metadataOf = (book: Books, record: RecordStep) => ({
  status: record.mode === 'posted' ? 'posted' : 'draft',
  entries: record.entries.map(({ day, legs }) => ({
    posting_date: day,
    line_items: legs.map(([code, debit, credit]) => ({
      element_id: book.id(code),
      debit_amount: debit,
      credit_amount: credit,
    })),
  })),
});

/** The same event for the service. */
const eventOf = (book: Books, record: RecordStep, reference: string): BookkeepingEvent => ({
  source,
  reference,
  eventType: record.kind,
  eventCategory: kinds[record.kind],
  occurredAt: new Date(occurredAt),
  currency: record.currency,
  metadata: metadataOf(book, record),
  writesEntries: record.mode !== 'captured',
});

/** The same event for the operation, which accepts no source of a plugin. */
const bodyOf = (book: Books, record: RecordStep, reference: string): object => ({
  source: 'manual',
  external_id: reference,
  event_type: record.kind,
  event_category: kinds[record.kind],
  occurred_at: occurredAt,
  currency: record.currency,
  apply_handlers: record.mode !== 'captured',
  metadata: metadataOf(book, record),
});

/** What became of a step: the event with its first entry, or the code and text of the refusal without ids. */
type Outcome = { readonly eventId: string; readonly entryId: string | undefined } | { readonly refusal: string };

/** A way to take the steps that differ; all others go through the operations. */
interface Way {
  record(record: RecordStep, reference: string): Promise<Outcome>;
  reverse(entryId: string, day: string): Promise<Outcome>;
}

const withoutIds = (text: string) => text.replaceAll(/[a-z]+_[0-9A-Z]{26}/g, 'id');

const firstEntry = (book: Books, eventId: string): Promise<string | undefined> =>
  service.store.transaction({ graphId: book.graph }, async (tx) => {
    const rows = await tx.query(
      sql<Pick<LedgerEntry, 'id'>>`SELECT id FROM ledger_entry WHERE event_id = ${eventId} ORDER BY id`,
    );
    return rows[0]?.id;
  });

function throughOperations(book: Books): Way {
  const send = async (body: object): Promise<Outcome> => {
    const { status, headers, body: answer } = await book.operation('create-event-block', body);
    const eventId = status === 200 ? answer.result.id : headers.get('x-existing-event-id');
    if (eventId === null) return { refusal: withoutIds(`${answer.code} ${answer.detail}`) };
    return { eventId, entryId: await firstEntry(book, eventId) };
  };
  return {
    record: (record, reference) => send(bodyOf(book, record, reference)),
    reverse: (entryId, day) =>
      send({
        source: 'manual',
        external_id: `reversal of ${entryId}`,
        event_type: 'journal_entry_reversed',
        event_category: 'adjustment',
        occurred_at: now,
        apply_handlers: true,
        metadata: { entry_id: entryId, posting_date: day },
      }),
  };
}

function throughService(book: Books): Way {
  const by: BookkeepingAuthor = { userId, now: new Date(now) };
  const take = async (work: (tx: Transaction) => Promise<{ readonly eventId: string }>): Promise<Outcome> => {
    try {
      const { eventId } = await service.store.transaction({ graphId: book.graph }, work);
      return { eventId, entryId: await firstEntry(book, eventId) };
    } catch (error) {
      if (!isServiceError(error)) throw error;
      return { refusal: withoutIds(`${error.code} ${error.message}`) };
    }
  };
  const books = service.service.services.resolve(bookkeeping);
  return {
    record: (record, reference) => take((tx) => books.record(tx, eventOf(book, record, reference), by)),
    reverse: (entryId, day) => take((tx) => books.reverse(tx, { source, entryId, postingDate: day }, by)),
  };
}

/** Takes the steps in one way; returns what became of each, without ids. */
async function play(book: Books, way: Way, steps: readonly Step[]): Promise<readonly string[]> {
  const taken: { readonly record: RecordStep; readonly reference: string; outcome: Outcome }[] = [];
  const told = (outcome: Outcome) => ('refusal' in outcome ? outcome.refusal : `${outcome.entryId !== undefined}`);
  const seen: string[] = [];
  let closing = 2;
  for (const [index, each] of steps.entries()) {
    if (each.do === 'record') {
      const reference = `ref-${index}`;
      const outcome = await way.record(each, reference);
      taken.push({ record: each, reference, outcome });
      seen.push(told(outcome));
    } else if (each.do === 'close') {
      const period = `2026-${String(closing).padStart(2, '0')}`;
      const { status } = await book.operation('close-period', { period });
      if (status === 200) closing += 1;
      seen.push(`close ${period} ${status}`);
    } else if (taken.length > 0) {
      const { record, reference, outcome } = taken[each.record % taken.length] as (typeof taken)[number]; // Within it.
      if (each.do === 'repeat') seen.push(`repeat ${told(await way.record(record, reference))}`);
      else if ('refusal' in outcome) continue;
      else if (each.do === 'reverse')
        seen.push(outcome.entryId === undefined ? 'none' : told(await way.reverse(outcome.entryId, each.day)));
      else {
        const body = { event_id: outcome.eventId, transition_to: 'committed' };
        seen.push(
          withoutIds(JSON.stringify((await book.operation('update-event-block', body)).body.detail ?? 'moved')),
        );
      }
    }
  }
  return seen;
}

/** All rows of the ledger as text, with each id replaced by its place among the ids of its kind. */
async function rowsOf(book: Books): Promise<Readonly<Record<string, readonly string[]>>> {
  const volatile = '{graph_id,seq,prev_hash,hash,recorded_at,next_at}';
  return service.store.transaction({ graphId: book.graph }, async (tx) => {
    const tables = await tx.query(sql<{ name: string }>`
      SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND table_name ~ '^ledger_' ORDER BY 1`);
    const found: [string, string[]][] = [];
    for (const { name } of tables) {
      const rows = await tx.query(sql<{ row: string }>`
        SELECT (to_jsonb(r) - ${volatile}::text[])::text AS row FROM ${sql.table(name)} AS r WHERE graph_id = ${book.graph}`);
      found.push([name, rows.map(({ row }) => (name === 'ledger_log' ? row.replace(/"id": \d+, /, '') : row))]);
    }
    const ids = new Set(found.flatMap(([, rows]) => rows.flatMap((row) => row.match(/[a-z]+_[0-9A-Z]{26}/g) ?? [])));
    const places = new Map([...ids].sort().map((id, place) => [id, `${id.split('_')[0]} ${place}`]));
    const named = (row: string) =>
      row
        .replaceAll(book.graph, 'graph')
        .replaceAll(`"${source}"`, '"manual"')
        .replaceAll(/[a-z]+_[0-9A-Z]{26}/g, (id) => places.get(id) ?? id)
        // A receipt names the last sealed row, and when the sealer runs differs.
        .replaceAll(/"log": (null|\{[^}]*\})/g, '"log": "sealed"')
        // Receipts hash the ids of entries.
        .replaceAll(/[0-9a-f]{64}/g, 'hash');
    return Object.fromEntries(found.map(([name, rows]) => [name, rows.map(named).sort()]));
  });
}

describe('bookkeeping', () => {
  it('writes the same rows as the operations, and refuses the same with the same words (ledger L-220)', {
    timeout: maxLawMs,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20, size: 'max' }), async (steps) => {
        const start = { earliest_data_period: '2026-02' };
        const [one, other] = [await openBooks(user, 'llc', start), await openBooks(user, 'llc', start)];
        const seen = await play(one, throughOperations(one), steps);
        expect(await play(other, throughService(other), steps)).toEqual(seen);
        expect(await rowsOf(other)).toEqual(await rowsOf(one));
      }),
      lawRuns(6),
    );
  });
});
