import { sql, type Transaction } from '@pacioli/core';
import type { TestService } from '@pacioli/testing';
import { type Delivery, reconciliation } from '../src/index.ts';
import type { LedgerEntry } from '../src/rows.gen.ts';
import { done, entry, type Leg, type Loose } from './books.ts';
import { captured } from './captured-event.ts';
import { draft } from './close-books.ts';
import type { BookName, FixtureBooks } from './refusal-fixture-types.ts';
import { addSchedules } from './refusal-schedules.ts';
import { schedule } from './schedule-books.ts';

const by = { userId: 'usr_sync', now: new Date('2026-04-01T12:00:00Z') };

/** Legs of a sale. */
const legs = (cents: number): readonly Leg[] => [
  ['1000', cents, 0],
  ['4000', 0, cents],
];

async function entryOf(fixture: FixtureBooks, book: BookName, eventId: string): Promise<string> {
  const [row] = await fixture.run(
    book,
    sql<Pick<LedgerEntry, 'id'>>`SELECT id FROM ledger_entry WHERE event_id = ${eventId}`,
  );
  if (row === undefined) throw new Error(`Event ${eventId} has no entry.`);
  return row.id;
}

/** Records an event and stores its id, and the id of its entry, if any, as `<name> entry`. */
async function record(
  fixture: FixtureBooks,
  ids: Map<string, string>,
  book: BookName,
  name: string,
  body: object,
): Promise<void> {
  const event = await done(fixture.books[book], 'create-event-block', body);
  ids.set(name, event.id);
  if (event.status !== 'captured') ids.set(`${name} entry`, await entryOf(fixture, book, event.id));
}

/** A handler for an event type. */
export const handler = (name: string, eventType: string, more: object = {}, amount = '{{ event.amount }}') => ({
  name,
  event_type: eventType,
  transaction_template: {
    transactions: [
      {
        entry_template: {
          debit: { element_id: 'code:1000', amount },
          credit: { element_id: 'code:4000', amount },
        },
      },
    ],
  },
  ...more,
});

/** Sets up books in use, in which January is closed. */
export async function addToOpenBooks(fixture: FixtureBooks, ids: Map<string, string>): Promise<void> {
  const { open } = fixture.books;
  const keep = (name: string, body: object) => record(fixture, ids, 'open', name, body);
  await keep('posted', entry(open, '2026-03-05', legs(100), { external_id: 'posted' }));
  await keep('draft', draft(open, '2026-03-06', legs(200)));
  await keep('draft to void', draft(open, '2026-03-06', legs(210)));
  await keep('reversed', entry(open, '2026-03-07', legs(300)));
  const undo = { ...entry(open, '2026-03-08', [], { event_type: 'journal_entry_reversed' }) };
  await done(open, 'create-event-block', { ...undo, metadata: { entry_id: ids.get('reversed entry') } });
  const lineItems = (entry(open, '2026-03-09', legs(50)) as { metadata: { line_items: object[] } }).metadata.line_items;
  const one = { posting_date: '2026-03-09', memo: 'one of two', line_items: lineItems };
  await keep('two drafts', draft(open, '2026-03-09', [], { metadata: { entries: [one, one] } }));
  await keep('captured', captured('anything', {}));
  await keep('voided', captured('anything', {}));
  await done(open, 'update-event-block', { event_id: ids.get('voided'), transition_to: 'voided' });
  await keep('due of nothing', captured('schedule_entry_due', { schedule_id: 'struct_x', period_end: '2026-03-31' }));
  await keep('reversal of nothing', captured('journal_entry_reversed', { entry_id: 'je_x' }));
  await keep(
    'unresolved',
    captured(
      'journal_entry_recorded',
      journalOf([
        ['x1', 5, 0],
        ['x2', 0, 5],
      ]),
    ),
  );
  const uneven = entry(open, '2026-03-10', [
    ['1000', 5, 0],
    ['4000', 0, 4],
  ]) as { metadata: object };
  await keep('uneven', captured('journal_entry_recorded', uneven.metadata));
  await keep('bank line', captured('bank_fee', {}, { amount: -50, resource_element_id: open.id('1000') }));
  await addRules(fixture, ids);
  await addSchedules(fixture, ids);
  await addProviderRecords(fixture, ids);
  await addTaxonomies(fixture, ids);
}

/** Metadata of one entry with the account numbers of a provider. */
function journalOf(sides: readonly Leg[]): object {
  const lineItems = sides.map(([elementExternalId, debitAmount, creditAmount]) => ({
    element_external_id: elementExternalId,
    debit_amount: debitAmount,
    credit_amount: creditAmount,
  }));
  return { entries: [{ posting_date: '2026-03-10', memo: 'from outside', line_items: lineItems }] };
}

/** Adds agents, handlers and a retired account. */
async function addRules(fixture: FixtureBooks, ids: Map<string, string>): Promise<void> {
  const { open } = fixture.books;
  const agent = await done(open, 'create-agent', { agent_type: 'customer', name: 'Acme', external_id: 'a1' });
  ids.set('agent', agent.id);
  const rules: readonly (readonly [string, object])[] = [
    ['rule', handler('Payouts', 'payout')],
    ['other rule', handler('Fees', 'fee')],
    ['hub rule', handler('Shared', 'shared')],
    ['tied', handler('One', 'tied')],
    ['also tied', handler('Two', 'tied')],
    ['unfillable', handler('Unfillable', 'unfillable', {}, '{{ event.metadata.net }}')],
  ];
  for (const [name, body] of rules) ids.set(name, (await done(open, 'create-event-handler', body)).id);
  await fixture.run(
    'open',
    sql`UPDATE ledger_event_handler SET origin = 'hub', version = version + 1 WHERE id = ${ids.get('hub rule')}`,
  );
  await fixture.run('open', sql`UPDATE taxonomy_element SET is_active = false WHERE id = ${open.id('6600')}`);
}

/** A record of the provider with this amount. */
const delivery = (externalId: string, version: number, cents: number, account = '79'): Delivery => ({
  source: 'quickbooks',
  externalId,
  connectionId: 'conn_q',
  eventType: 'invoice_issued',
  eventCategory: 'sales',
  eventAction: null,
  occurredAt: '2026-03-10T00:00:00Z',
  effectiveAt: null,
  amount: cents,
  currency: 'USD',
  description: null,
  agentId: null,
  resourceElementId: null,
  externalUrl: null,
  metadata: {
    ...journalOf([
      ['84', cents, 0],
      [account, 0, cents],
    ]),
  },
  version,
});

/** Delivers a record as a sync does, and returns the id of its event. */
export async function deliverIn(service: TestService, tx: Transaction, record: Delivery): Promise<string> {
  return (await service.service.services.resolve(reconciliation).deliver(tx, record, by)).eventId;
}

/** The current payload of a record at the provider, by version. */
export const newer = (externalId: string, version: number, account?: string): Delivery =>
  delivery(externalId, version, 1_000 - version, account);

/** Adds booked events whose provider has a newer payload. */
async function addProviderRecords(
  fixture: FixtureBooks,
  ids: Map<string, string>,
  book: BookName = 'open',
): Promise<void> {
  const { service, books } = fixture;
  const inBooks = <T>(work: (tx: Transaction) => Promise<T>) =>
    service.store.transaction({ graphId: books[book].graph }, work);
  const it = service.service.services.resolve(reconciliation);
  await fixture.run(
    book,
    sql`UPDATE taxonomy_element SET external_id = code, external_source = 'quickbooks', connection_id = 'conn_q' WHERE code IN ('1100', '4000')`,
  );
  await fixture.run(
    book,
    sql`UPDATE taxonomy_element SET external_id = CASE code WHEN '1100' THEN '84' ELSE '79' END WHERE code IN ('1100', '4000')`,
  );
  const prefix = book === 'open' ? '' : `${book} `;
  for (const [name, account] of [
    ['flagged', '79'],
    ['unmapped', '555'],
    ['blocked', '79'],
    ['settled', undefined],
  ] as const) {
    const eventId = await inBooks((tx) => deliverIn(service, tx, newer(name, 0)));
    await inBooks((tx) => it.book(tx, eventId, by.now));
    ids.set(`${prefix}${name}`, eventId);
    if (account !== undefined) await inBooks((tx) => deliverIn(service, tx, newer(name, 1, account)));
  }
  // An entry that a user reversed cannot be replaced.
  const undo = entry(books[book], '2026-03-20', [], { event_type: 'journal_entry_reversed' });
  const metadata = { entry_id: await entryOf(fixture, book, ids.get(`${prefix}blocked`) ?? '') };
  await done(books[book], 'create-event-block', { ...undo, metadata });
}

/** Sets up books with one row of each kind, and closes all months afterwards. */
export async function addToClosedBooks(fixture: FixtureBooks, ids: Map<string, string>): Promise<void> {
  const { shut } = fixture.books;
  await record(fixture, ids, 'shut', 'shut draft', draft(shut, '2026-03-06', legs(200)));
  await record(
    fixture,
    ids,
    'shut',
    'shut captured',
    captured('journal_entry_recorded', (draft(shut, '2026-03-06', legs(1)) as Loose).metadata),
  );
  await addProviderRecords(fixture, ids, 'shut');
  const payload = schedule(shut, '6900', '1590', { period_start: '2026-03-01', period_end: '2026-12-31' });
  ids.set('shut schedule', (await done(shut, 'create-information-block', { block_type: 'schedule', payload })).id);
  await done(shut, 'promote-obligations', {});
  await fixture.run('shut', sql`UPDATE ledger_fiscal_period SET status = 'closed'`);
}

/** Sets up months that could be closed except for one condition. */
export async function addMonths(fixture: FixtureBooks, ids: Map<string, string>): Promise<void> {
  const { month, broken, orphan } = fixture.books;
  await done(month, 'create-event-block', draft(month, '2026-03-06', legs(200)));
  await done(broken, 'create-event-block', draft(broken, '2026-03-06', legs(200)));
  // No operation writes unbalanced entries, so these lines are inserted with SQL.
  await fixture.run(
    'broken',
    sql`INSERT INTO ledger_line_item (graph_id, entry_id, line_order, id, element_id, posting_date, currency, is_landed, debit_amount, credit_amount)
      SELECT graph_id, id, n.line_order, 'li_' || n.line_order, ${broken.id('1000')}, posting_date, n.currency, false, n.debit, n.credit
      FROM ledger_entry, (VALUES (8, 'USD', 7::bigint, 0::bigint), (9, 'EUR', 0, 7)) AS n (line_order, currency, debit, credit)`,
  );
  const taxonomies = await orphan.query('{ taxonomies { taxonomies { id } } }');
  ids.set('orphan chart', taxonomies.taxonomies.taxonomies[0].id);
  await fixture.run('orphan', sql`DELETE FROM ledger_entity_taxonomy WHERE graph_id = ${orphan.graph}`);
  await fixture.run('orphan', sql`DELETE FROM ledger_entity WHERE graph_id = ${orphan.graph}`);
}

/** Adds a custom ontology and an extension taxonomy. */
async function addTaxonomies(fixture: FixtureBooks, ids: Map<string, string>): Promise<void> {
  const { open } = fixture.books;
  const words = await done(open, 'create-taxonomy-block', { taxonomy_type: 'custom_ontology', name: 'Words' });
  ids.set('words', words.id);
  const { libraryTaxonomy } = await open.query('{ libraryTaxonomy(standard: "rs-gaap") { id } }');
  const policies = { qname: 'notes:Policies', name: 'Policies', trait: 'asset', balance_type: 'debit' };
  const extension = await done(open, 'create-taxonomy-block', {
    taxonomy_type: 'reporting_extension',
    name: 'Notes',
    parent_taxonomy_id: libraryTaxonomy.id,
    elements: [{ ...policies, is_monetary: false }],
    structures: [{ name: 'Notes', block_type: 'regulatory_disclosure', concept_arrangement: 'text_block' }],
  });
  ids.set('notes', extension.structures[0].id);
  const [found] = await fixture.run(
    'open',
    sql<{ mapping: string; arc: string; concept: string; chart: string }>`
      SELECT a.structure_id AS mapping, a.id AS arc, a.to_element_id AS concept, e.taxonomy_id AS chart
      FROM taxonomy_association AS a JOIN taxonomy_element AS e ON e.graph_id = a.graph_id AND e.id = a.from_element_id
      WHERE e.code = '6700'`,
  );
  for (const [name, id] of Object.entries(found ?? {})) ids.set(name, id);
  for (const [name, code] of Object.entries({ depreciation: '6900', accumulated: '1590', mapped: '6700' }))
    ids.set(name, open.id(code));
}
