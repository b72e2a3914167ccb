// Goal: a code in two charts means the account of the primary chart, and is rejected when there is none.
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, done, type Loose, openBooks, startLedger } from './books.ts';

let service: TestService;
let user: TestClient;
let book: Books;
beforeAll(async () => {
  ({ service, user } = await startLedger());
  book = await openBooks(user);
});
afterAll(async () => {
  await service.close();
});

const everything = '{ eventBlocks(limit: 100) { id status } journalEntries(limit: 100) { entries { id } } }';

/** Adds a second chart with two codes of the first one; a new chart becomes the primary one (taxonomy T-28). */
async function addChart(name: string): Promise<Loose> {
  return done(book, 'create-taxonomy-block', {
    taxonomy_type: 'chart_of_accounts',
    name,
    elements: [
      { qname: `${name}:Cash`, name: `Cash of ${name}`, code: '1000', trait: 'asset', sub_classification: 'cash' },
      {
        qname: `${name}:Sales`,
        name: `Sales of ${name}`,
        code: '4000',
        trait: 'revenue',
        sub_classification: 'operating',
      },
    ],
  });
}

async function register(eventType: string, debit: string, credit: string): Promise<void> {
  const entryTemplate = {
    debit: { element_id: debit, amount: '{{ event.amount }}' },
    credit: { element_id: credit, amount: '{{ event.amount }}' },
  };
  const transactionTemplate = { transactions: [{ entry_template: entryTemplate }] };
  await done(book, 'create-event-handler', {
    name: eventType,
    event_type: eventType,
    transaction_template: transactionTemplate,
  });
}

const record = (eventType: string) =>
  book.operation('create-event-block', {
    event_type: eventType,
    event_category: 'sales',
    occurred_at: '2026-03-20T10:00:00Z',
    source: 'manual',
    amount: 12_500,
    apply_handlers: true,
  });

/** The account ids of the draft that the event creates. */
async function postedTo(eventType: string): Promise<readonly string[]> {
  const made = await record(eventType);
  expect([made.status, made.body.detail]).toEqual([200, undefined]);
  const { transactions } = (
    await book.query(`{ transactions(type: "${eventType}", limit: 100) { transactions { id } } }`)
  )['transactions'];
  const { transaction } = await book.query(
    `{ transaction(transactionId: "${transactions[0].id}") { entries { lineItems { accountId } } } }`,
  );
  return transaction.entries
    .flatMap(({ lineItems }: Loose) => lineItems.map(({ accountId }: Loose) => accountId))
    .sort();
}

describe('accounts named by code or role', () => {
  it('resolves a code or role in the primary chart, whichever chart is older (ledger L-105, taxonomy T-28)', async () => {
    const oldChart = (await book.query('{ taxonomies(taxonomyType: "chart_of_accounts") { taxonomies { id } } }'))[
      'taxonomies'
    ].taxonomies[0].id;
    const chart = await addChart('second');
    const idOf = (qname: string) => chart.elements.find((each: Loose) => each.qname === qname).id;
    await register('by_code', 'code:1000', 'code:4000');
    await register('by_role', 'role:cash', 'role:revenue');
    const inNew = [idOf('second:Cash'), idOf('second:Sales')].sort();
    expect(await postedTo('by_code')).toEqual(inNew);
    const link = { taxonomy_id: oldChart, basis: 'chart_of_accounts', is_primary: true };
    await done(book, 'link-entity-taxonomy', link);
    await register('by_code_of_old', 'code:1000', 'code:4000');
    expect(await postedTo('by_code_of_old')).toEqual([book.id('1000'), book.id('4000')].sort());
    expect(await postedTo('by_role')).toEqual([book.id('1000'), book.id('4000')].sort());
  });

  it('rejects an ambiguous code or role when no chart is primary, names both accounts, and changes nothing (ledger L-105)', async () => {
    const third = await addChart('third');
    // No other chart becomes the primary one (taxonomy T-39).
    await done(book, 'delete-taxonomy-block', { taxonomy_id: third.id, reason: 'a trial' });
    const before = await book.query(everything);
    const byCode = await record('by_code');
    expect(byCode.status).toBe(422);
    expect(byCode.body.detail).toMatch(
      /^'code:1000' means more than one active account: '1000 .*' \(elem_\w+ of chart tax_\w+\) and '1000 Cash of second' \(elem_\w+ of chart tax_\w+\)\. Name the account by its id/,
    );
    const byRole = await record('by_role');
    expect([byRole.status, byRole.body.detail]).toEqual([
      422,
      expect.stringMatching(/^'role:cash' means more than one/),
    ]);
    expect(await book.query(everything)).toEqual(before);
  });
});
