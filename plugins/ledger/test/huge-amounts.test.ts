/** @module-tag sessions */
import { sql } from '@pacioli/core';
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, done, entry, type Leg, openBooks, startLedger } from './books.ts';
import { isOnServer, patientStore, skipReason, whileCapacityIsLocked } from './capacity-lock.ts';
import { draft } from './close-books.ts';
import { graphDigest } from './graph-digest.ts';

const most = Number.MAX_SAFE_INTEGER;
/** More than half of the largest amount. */
const much = 5_000_000_000_000_000;
const legs = (cents: number): readonly Leg[] => [
  ['1100', cents, 0],
  ['4000', 0, cents],
];

let service: TestService;
let user: TestClient;
let book: Books;
let draftId: string;
beforeAll(async () => {
  ({ service, user } = await startLedger(undefined, { storeOptions: patientStore }));
  book = await openBooks(user);
  await done(book, 'create-event-block', draft(book, '2026-03-10', legs(much)));
  const { journalEntries } = await book.query('{ journalEntries { entries { id } } }');
  draftId = journalEntries.entries[0].id;
  await done(book, 'create-event-block', invoice(much));
});
afterAll(() => service.close());

/** An invoice without entries. */
const invoice = (amount: number): object => ({
  event_type: 'invoice_issued',
  event_category: 'sales',
  occurred_at: '2026-03-10T10:00:00Z',
  source: 'manual',
  amount,
});

describe('amounts that add up to more than JSON carries exactly', () => {
  it.each<readonly [string, string, () => object, string]>([
    [
      'another entry',
      'create-event-block',
      () => entry(book, '2026-03-11', legs(much)),
      'The debits of these books in USD would add up to 10000000000000000 minor units, above 9007199254740991',
    ],
    [
      'an invoice',
      'create-event-block',
      () => invoice(much),
      'The amounts of the events in USD would add up to 10000000000000000',
    ],
  ])(
    'rejects %s that would exceed the largest total, and changes nothing (ledger L-2)',
    async (_name, operation, request, says) => {
      const before = await graphDigest(service.store, book.graph);
      const answer = await book.operation(operation, request());
      expect([answer.status, answer.body.detail]).toEqual([422, expect.stringContaining(says)]);
      expect(await graphDigest(service.store, book.graph)).toEqual(before);
    },
  );

  it('counts an edited draft once towards the largest total, and limits its lines as well (ledger L-2, L-55)', async () => {
    const lines = (cents: number) => ({
      entry_id: draftId,
      line_items: [
        { element_id: book.id('1100'), debit_amount: cents },
        { element_id: book.id('4000'), credit_amount: cents },
      ],
    });
    await done(book, 'update-journal-entry', lines(much + 1));
    await done(book, 'create-event-block', entry(book, '2026-03-11', legs(4_000_000_000_000_000)));
    const before = await graphDigest(service.store, book.graph);
    const refused = await book.operation('update-journal-entry', lines(much + 10_000_000_000_000));
    expect([refused.status, refused.body.detail]).toEqual([
      422,
      expect.stringContaining('would add up to 9010000000000000'),
    ]);
    expect(await graphDigest(service.store, book.graph)).toEqual(before);
    await done(book, 'update-journal-entry', lines(much));
  });

  it('accepts the reversal of an entry near the largest total (ledger L-60)', async () => {
    const { journalEntries } = await book.query('{ journalEntries(status: "posted") { entries { id } } }');
    const undo = entry(book, '2026-03-12', [], { event_type: 'journal_entry_reversed' });
    await done(book, 'create-event-block', { ...undo, metadata: { entry_id: journalEntries.entries[0].id } });
  });
});

describe('sums of existing rows beyond the limit', () => {
  beforeAll(async () => {
    // Small amounts are not summed when they are written, so enough of them can exceed the limit.
    await service.store.transaction({ graphId: book.graph }, async (tx) => {
      await tx.query(
        sql`UPDATE ledger_event SET amount = ${most}, status = 'committed' WHERE event_type = 'invoice_issued'`,
      );
      await tx.query(sql`
        INSERT INTO ledger_event (graph_id, id, event_type, event_class, event_category, status, occurred_at, source, currency, amount, metadata,
          dimension_ids, created_at, created_by)
        SELECT graph_id, 'evt_more', event_type, event_class, event_category, status, occurred_at, source, currency, amount, metadata,
          dimension_ids, created_at, created_by FROM ledger_event WHERE event_type = 'invoice_issued'`);
      await tx.query(sql`
        INSERT INTO ledger_line_item (graph_id, entry_id, line_order, id, element_id, posting_date, currency, is_landed, debit_amount, credit_amount)
        SELECT graph_id, id, n.line_order, 'li_' || n.line_order, CASE WHEN n.debit > 0 THEN ${book.id('1000')} ELSE ${book.id('4000')} END, posting_date,
          currency, false, n.debit, n.credit
        FROM ledger_entry, (VALUES (8, ${most}::bigint, 0::bigint), (9, 0, ${most}::bigint)) AS n (line_order, debit, credit)
        WHERE id = ${draftId}`);
    });
  });

  it.each([
    ['periodDrafts(period: "2026-03") { totalDebit }', 'The total of the drafts'],
    ['openReceivables { totalOpenCents }', 'The total of the open items'],
    ['openReceivablesByAgent { openBalanceCents }', 'The open balance of a counterparty'],
  ])(
    'rejects a sum in minor units beyond what JSON carries, by name and never rounded: %s (ledger L-2, L-4a)',
    async (query, sum) => {
      const { body } = await user.post(`/extensions/${book.graph}/graphql`, { query: `{ ${query} }` });
      expect(body.errors[0].message).toBe(
        `${sum} is above 9007199254740991 minor units, the largest amount that a response carries exactly.`,
      );
    },
  );

  it('returns a sum beyond the limit in major units', async () => {
    const query = '{ journalEntries(status: "draft") { entries { totalDebit } } }';
    expect(await book.query(query)).toEqual({ journalEntries: { entries: [{ totalDebit: 140071992547409.9 }] } });
  });

  it('returns balances of accounts whose sums are exact until they are displayed (ledger L-2, L-3)', async () => {
    await done(book, 'close-period', { period: '2026-03' });
    const { trialBalance } = await book.query('{ trialBalance { totalDebits totalCredits } }');
    expect(trialBalance.totalDebits).toBeGreaterThan(most / 100);
    expect(trialBalance.totalCredits).toBe(trialBalance.totalDebits);
    const { accountRollups } = await book.query('{ accountRollups { groups { total } } }');
    expect(Math.max(...accountRollups.groups.map(({ total }: { total: number }) => total))).toBeGreaterThan(most / 100);
  });
});

describe('concurrent entries that would each reach the limit', () => {
  it('accepts concurrent entries only up to the largest total (ledger L-2)', { timeout: 300_000 }, async () => {
    const other = await openBooks(user);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => other.operation('create-event-block', entry(other, '2026-03-11', legs(much)))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
  });
});

describe.runIf(isOnServer())(`create-event-block with a large amount while another is edited${skipReason()}`, () => {
  it('waits for capacity before it locks the period, in the same order as an edit (ledger L-150)', {
    timeout: 300_000,
  }, async () => {
    const other = await openBooks(user);
    const large = 10_000_000_000_000;
    await done(other, 'create-event-block', draft(other, '2026-03-10', legs(100)));
    const { journalEntries } = await other.query('{ journalEntries { entries { id } } }');
    const edit = {
      entry_id: journalEntries.entries[0].id,
      line_items: [
        { element_id: other.id('1100'), debit_amount: large },
        { element_id: other.id('4000'), credit_amount: large },
      ],
    };
    const answers = await whileCapacityIsLocked(service.store, other.graph, [
      () => other.operation('create-event-block', entry(other, '2026-03-11', legs(large))),
      () => other.operation('update-journal-entry', edit),
    ]);
    expect(answers.map(({ status, body }) => [status, body.detail])).toEqual([
      [200, undefined],
      [200, undefined],
    ]);
  });
});
