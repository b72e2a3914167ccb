import { asCommands, type ExampleRequest } from '../example-request.ts';
import type { DemoAccess } from './seed-demo.ts';

type Access = Pick<DemoAccess, 'url' | 'email' | 'apiKey' | 'graphId' | 'cashId' | 'salesId'>;

/** Three requests with the ids of this demo: a GraphQL query, a posted entry and a Cypher query. */
export function exampleRequests(access: Access): readonly ExampleRequest[] {
  const { url, apiKey, graphId, cashId, salesId } = access;
  const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' };
  return [
    {
      title: 'Read the trial balance over GraphQL',
      url: `${url}/extensions/${graphId}/graphql`,
      headers,
      body: {
        query: '{ entity { name } trialBalance { totalDebits totalCredits rows { accountName netBalance } } }',
      },
    },
    {
      title: 'Post an entry: a bell sold for $12.50 (shows in the trial balance at once)',
      url: `${url}/extensions/roboledger/${graphId}/operations/create-event-block`,
      headers,
      body: {
        event_type: 'sales_receipt_recorded',
        event_category: 'sales',
        occurred_at: '2026-01-02T10:00:00Z',
        source: 'manual',
        apply_handlers: true,
        metadata: {
          posting_date: '2026-01-02',
          memo: 'A bell',
          status: 'posted',
          line_items: [
            { element_id: cashId, debit_amount: 1250 },
            { element_id: salesId, credit_amount: 1250 },
          ],
        },
      },
    },
    {
      title: 'Ask the graph in Cypher for the five busiest accounts',
      url: `${url}/v1/graphs/${graphId}/query/cypher`,
      headers,
      body: {
        query: [
          'MATCH (l:LineItem)-[:LINE_ITEM_RELATES_TO_ELEMENT]->(a:Element)',
          'RETURN a.name AS account, count(l) AS lines ORDER BY lines DESC LIMIT 5',
        ].join(' '),
      },
    },
  ];
}

/** The text printed after the books: addresses, the key and example commands. */
export function welcomeText(access: Access): string {
  const { url, apiKey, graphId, email } = access;
  return [
    '',
    `Base URL   ${url}`,
    `API key    ${apiKey}   (user ${email})`,
    `Reference  ${url}/docs`,
    `Explorer   ${url}/extensions/${graphId}/graphql`,
    '',
    'Three things to try:',
    '',
    asCommands(exampleRequests(access)),
    '',
  ].join('\n');
}

/** Why there is no demo, and what to do; the service runs all the same. */
export function failedSetUpText(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `The demo could not be set up: ${reason}\nThe next start continues it; DEMO=off starts without it.`;
}
