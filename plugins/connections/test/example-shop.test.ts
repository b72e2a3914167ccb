/** @module-tag sessions */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ConnectedGraph,
  type ConnectedService,
  type Loose,
  openGraph,
  startConnected,
} from './connections-fixture.ts';

/**
 * Step 2 of worked example C with a shop registered through the API (ledger 13.3): a rule of the tenant for this source
 * alone turns its payouts into drafts.
 */
let run: ConnectedService;
let books: ConnectedGraph;
let codes: ReadonlyMap<string, string>;
beforeAll(async () => {
  run = await startConnected();
  books = await openGraph(run.owner, 'Synced');
  await operation('create-taxonomy-block', {
    taxonomy_type: 'chart_of_accounts',
    name: 'Synced',
    elements: accounts.map(([code, name, trait]) => ({ code, name, trait, qname: `coa:${code}` })),
  });
  const found = await query('{ accounts(limit: 200) { accounts { id code } } }');
  codes = new Map(found.accounts.accounts.map(({ id, code }: Loose) => [id, code]));
});
afterAll(() => run.service.close());

const accounts = [
  ['35', 'Checking', 'asset'],
  ['36', 'Processor Clearing', 'asset'],
  ['79', 'Services Income', 'revenue'],
  ['62', 'Processing Fees', 'expense'],
] as const;

async function operation(name: string, body: object): Promise<Loose> {
  const answer = await run.owner.post(`/extensions/roboledger/${books.graph}/operations/${name}`, body);
  expect([name, answer.status, answer.body.detail]).toEqual([name, 200, undefined]);
  return answer.body.result;
}

async function query(text: string): Promise<Loose> {
  const { body } = await run.owner.graphql(books.graph, text);
  expect(body.errors).toBeUndefined();
  return body.data;
}

describe('a payout of a registered shop', () => {
  const leg = (code: string, path: string) => ({ element_id: `code:${code}`, amount: `{{ event.${path} }}` });
  const item = (debit: string, credit: string, path: string) => ({
    entry_template: { debit: leg(debit, path), credit: leg(credit, path) },
  });
  const payout = { apply_handlers: true, metadata: { net: 95_550, fee: 2_950 } };

  it('creates three drafts, once, and only under its registered source name (ledger L-83, L-84, L-116, 13.3 step 2)', async () => {
    expect((await books.register('shopfeed', { display_name: 'Shop' })).status).toBe(201);
    expect(await query('{ summary { connectionCount } }')).toEqual({ summary: { connectionCount: 1 } });
    await operation('create-event-handler', {
      name: 'Payout',
      event_type: 'payout_settled',
      match_source: 'shopfeed',
      priority: 10,
      transaction_template: {
        transactions: [item('36', '79', 'amount'), item('35', '36', 'metadata.net'), item('62', '36', 'metadata.fee')],
      },
    });
    const foreseen = await operation('preview-event-block', books.payout('shopfeed', 'po-88', payout));
    expect(foreseen).toMatchObject({ would_succeed: true });
    const sent = await books.send('shopfeed', 'po-88', payout);
    expect([sent.status, sent.body.result?.status]).toEqual([200, 'classified']);
    const drafts = `{ periodDrafts(period: "2026-04") { drafts { lineItems { elementId debitAmount creditAmount } } } }`;
    const { periodDrafts } = await query(drafts);
    const lines = periodDrafts.drafts.flatMap(({ lineItems }: Loose) =>
      lineItems.map((line: Loose) => [codes.get(line.elementId), line.debitAmount, line.creditAmount]),
    );
    expect(periodDrafts.drafts).toHaveLength(3);
    expect(lines.sort()).toEqual(
      [
        ['35', 95_550, 0],
        ['36', 0, 2_950],
        ['36', 0, 95_550],
        ['36', 98_500, 0],
        ['62', 2_950, 0],
        ['79', 0, 98_500],
      ].sort(),
    );
    const again = await books.send('shopfeed', 'po-88', payout);
    expect([again.status, again.body.detail]).toEqual([409, 'Event already ingested for this source and external_id']);
    const misspelt = await books.send('shopfed', 'po-88', payout);
    expect([misspelt.status, misspelt.body.detail]).toEqual([422, expect.stringContaining("'shopfed'")]);
    expect(await query(drafts)).toEqual({ periodDrafts });
    expect(await books.events()).toHaveLength(1);
  });
});
