/** @module-tag sessions */
import { sql } from '@pacioli/core';
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, done, entry, type Loose, openBooks, startLedger } from './books.ts';
import { draft } from './close-books.ts';
import { graphDigest } from './graph-digest.ts';
import { handler } from './refusal-books.ts';
import { schedule } from './schedule-books.ts';

let service: TestService;
let user: TestClient;
let book: Books;
const ids: Record<string, string> = {};
beforeAll(async () => {
  ({ service, user } = await startLedger());
  book = await openBooks(user);
  ids['event'] = (await done(book, 'create-event-block', draft(book, '2026-03-10', legs))).id;
  ids['entry'] = (await book.query('{ journalEntries { entries { id } } }')).journalEntries.entries[0].id;
  ids['agent'] = (await done(book, 'create-agent', { agent_type: 'customer', name: 'Acme' })).id;
  ids['handler'] = (await done(book, 'create-event-handler', handler('Payouts', 'payout'))).id;
});
afterAll(() => service.close());

const legs = [
  ['1000', 100, 0],
  ['4000', 0, 100],
] as const;
const short = 'x'.repeat(501);
const long = 'x'.repeat(4_001);
const fields = { note: 'x'.repeat(100_000) };
const event = (more: object) => () => ({ ...entry(book, '2026-03-10', legs), ...more });
const journal = (more: object) => () => {
  const good: Loose = event({})();
  return { ...good, metadata: { ...good.metadata, ...more } };
};
const change = (more: object) => () => ({ event_id: ids['event'], ...more });
const line = (more: object) => () => ({
  entry_id: ids['entry'],
  line_items: [
    { element_id: book.id('1000'), debit_amount: 1, ...more },
    { element_id: book.id('4000'), credit_amount: 1 },
  ],
});

/** Each text field with one character above its limit, and the limit that the response names. */
const cases: readonly (readonly [operation: string, field: string, most: number, request: () => object])[] = [
  ['create-event-block', 'external_id', 500, event({ external_id: short })],
  ['create-event-block', 'external_url', 4_000, event({ external_url: long })],
  ['create-event-block', 'description', 4_000, event({ description: long })],
  ['create-event-block', 'metadata.memo', 4_000, journal({ memo: long })],
  ['create-event-block', 'metadata.qb_doc_number', 500, journal({ qb_doc_number: short })],
  [
    'create-event-block',
    'metadata.schedule_id',
    500,
    event({ metadata: { schedule_id: short }, apply_handlers: false }),
  ],
  ['create-event-block', 'metadata', 2_000_000, journal({ kept: 'x'.repeat(2_000_000) })],
  ['update-event-block', 'description', 4_000, change({ description: long })],
  ['update-event-block', 'metadata_patch', 2_000_000, change({ metadata_patch: { kept: 'x'.repeat(2_000_000) } })],
  ['update-event-block', 'metadata_patch.qb_doc_number', 500, change({ metadata_patch: { qb_doc_number: short } })],
  ['update-journal-entry', 'memo', 4_000, () => ({ entry_id: ids['entry'], memo: long })],
  ['update-journal-entry', 'line_items.0.description', 4_000, line({ description: long })],
  ['update-journal-entry', 'line_items.0.metadata', 100_000, line({ metadata: fields })],
  ['create-agent', 'metadata', 100_000, () => ({ agent_type: 'customer', name: 'Other', metadata: fields })],
  ['update-agent', 'address', 100_000, () => ({ agent_id: ids['agent'], address: fields })],
  ['update-agent', 'metadata', 100_000, () => ({ agent_id: ids['agent'], metadata_patch: fields })],
  ['update-entity', 'legal_name', 500, () => ({ legal_name: short })],
  ['update-entity', 'website', 4_000, () => ({ website: long })],
  ['create-event-handler', 'description', 4_000, () => handler('x', 'x', { description: long })],
  ['create-event-handler', 'match_source', 500, () => handler('x', 'x', { match_source: short })],
  [
    'create-event-handler',
    'match_metadata_expression',
    100_000,
    () => handler('x', 'x', { match_metadata_expression: fields }),
  ],
  ['update-event-handler', 'metadata', 100_000, () => ({ event_handler_id: ids['handler'], metadata_patch: fields })],
  ['set-close-target', 'note', 4_000, () => ({ period: '2026-03', note: long })],
  ['close-period', 'note', 4_000, () => ({ period: '2026-03', note: long })],
  ['reopen-period', 'reason', 4_000, () => ({ period: '2026-03', reason: long })],
  [
    'terminate-schedule',
    'reason',
    4_000,
    () => ({ structure_id: 'struct_x', new_end_date: '2026-03-31', reason: long }),
  ],
  ['resolve-reconciling-item', 'note', 4_000, () => ({ event_id: ids['event'], note: long })],
  [
    'create-information-block',
    'source_transaction_id',
    500,
    () => ({
      block_type: 'schedule',
      payload: { ...schedule(book, '6900', '1590'), source_transaction_id: short },
    }),
  ],
  [
    'create-information-block',
    'entry_template.memo_template',
    4_000,
    () => {
      const payload = schedule(book, '6900', '1590');
      return {
        block_type: 'schedule',
        payload: { ...payload, entry_template: { ...payload.entry_template, memo_template: long } },
      };
    },
  ],
];

describe('texts above their limit', () => {
  it.each(cases)(
    'rejects in %s a text above the limit of %s, and changes nothing',
    async (operation, field, most, request) => {
      const before = await graphDigest(service.store, book.graph);
      const answer = await book.operation(operation, request());
      expect([answer.status, answer.body.detail]).toEqual([
        422,
        expect.stringContaining(`${field}: at most ${most} characters are allowed, not `),
      ]);
      expect(await graphDigest(service.store, book.graph)).toEqual(before);
    },
  );

  it('accepts texts up to their limit', async () => {
    const most = {
      external_id: 'x'.repeat(500),
      description: 'x'.repeat(4_000),
      external_url: 'https://example.org/'.padEnd(4_000, 'x'),
    };
    expect(await done(book, 'create-event-block', event(most)())).toMatchObject(most);
    await done(book, 'create-event-block', journal({ qb_doc_number: 'x'.repeat(500), memo: 'x'.repeat(4_000) })());
  });
});

describe('stored texts above the current limit', () => {
  it('accepts changes of other fields while a stored text is above the current limit (ledger L-35, L-73)', async () => {
    const { id } = await done(book, 'create-event-block', draft(book, '2026-03-11', legs));
    const agent = await done(book, 'create-agent', { agent_type: 'customer', name: 'Old' });
    await service.store.transaction({ graphId: book.graph }, async (tx) => {
      const kept = JSON.stringify({ qb_doc_number: short });
      await tx.query(sql`UPDATE ledger_event SET metadata = metadata || ${kept}::text::jsonb WHERE id = ${id}`);
      await tx.query(sql`UPDATE ledger_agent SET legal_name = ${short} WHERE id = ${agent.id}`);
    });
    const renamed = await done(book, 'update-agent', { agent_id: agent.id, name: 'New', metadata_patch: { tier: 1 } });
    expect([renamed.name, renamed.legal_name]).toEqual(['New', short]);
    await done(book, 'update-event-block', { event_id: id, metadata_patch: { tier: 1 } });
    const voided = await done(book, 'update-event-block', { event_id: id, transition_to: 'voided' });
    expect([voided.status, voided.metadata.qb_doc_number]).toEqual(['voided', short]);
  });
});
