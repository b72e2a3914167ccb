import blocks from '@pacioli/blocks';
import { toolCatalog } from '@pacioli/core';
import taxonomy from '@pacioli/taxonomy';
import {
  type Answer,
  type FixedClock,
  fixedClock,
  startTestService,
  type TestClient,
  type TestService,
  type TestServiceOptions,
} from '@pacioli/testing';
import ledger from '../src/index.ts';

/** The service of one test file, its user and its clock. */
export interface LedgerService {
  readonly service: TestService;
  readonly user: TestClient;
  readonly clock: FixedClock;
}

/** Starts a service with the ledger, at noon on April 1, 2026 unless another time is given. */
export async function startLedger(
  instant = '2026-04-01T12:00:00Z',
  options: Partial<TestServiceOptions> = {},
): Promise<LedgerService> {
  const clock = fixedClock(instant);
  const service = await startTestService({
    plugins: [taxonomy, blocks, ledger],
    aliases: { ledger: ['roboledger'] },
    clock,
    settings: { orgs: { maxGraphs: -1 } },
    ...options,
  });
  return { service, clock, user: await service.newUser('Ann') };
}

/** A response body that a test reads without types. */
export type Loose = Answer['body'];

/** A graph with a chart, and the ids of its accounts by code. */
export interface Books {
  readonly graph: string;
  readonly id: (code: string) => string;
  readonly operation: (name: string, body?: object, headers?: Record<string, string>) => Promise<Answer>;
  readonly query: (text: string) => Promise<Loose>;
}

/** The books of a graph as they are now. */
export async function bookOf(user: TestClient, graph: string): Promise<Books> {
  const operation: Books['operation'] = (name, body = {}, headers = {}) =>
    user.post(`/extensions/ledger/${graph}/operations/${name}`, body, headers);
  const query: Books['query'] = async (text) => {
    const answer = await user.graphql(graph, text);
    if (answer.body.errors !== undefined) throw new Error(JSON.stringify(answer.body.errors));
    return answer.body.data;
  };
  const { accounts } = await query('{ accounts(limit: 200) { accounts { id code } } }');
  const ids = new Map<string, string>(
    (accounts?.accounts ?? []).map((account: { id: string; code: string }) => [account.code, account.id]),
  );
  return { graph, operation, query, id: (code) => ids.get(code) ?? `no account ${code}` };
}

/** Makes a graph with a calendar and the services chart. */
export async function openBooks(user: TestClient, entityType = 'llc', calendar: object = {}): Promise<Books> {
  const graph = await user.createGraph('Books', ['roboledger']);
  const { operation } = await bookOf(user, graph);
  await operation('initialize', { earliest_data_period: '2026-03', ...calendar });
  await operation('initialize-chart-of-accounts', { template: 'services', entity_type: entityType });
  return bookOf(user, graph);
}

/** The result of an operation that must succeed. */
export async function done(book: Books, name: string, body: object): Promise<Loose> {
  const answer = await book.operation(name, body);
  if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.result;
}

/** The result of a tool, called on the graph for a user. */
export async function callTool(
  at: { readonly service: TestService; readonly user: TestClient; readonly graph: string },
  name: string,
  given: object = {},
): Promise<Loose> {
  const { id: userId } = (await at.user.get('/v1/user')).body;
  const { text } = await at.service.service.services.resolve(toolCatalog).call({
    caller: { userId, email: '', name: 'Ann', credential: 'jwt' },
    graphId: at.graph,
    name,
    arguments: given,
    source: 'mcp',
    signal: new AbortController().signal,
  });
  return JSON.parse(text);
}

/** An account's code with its debit and credit in cents. */
export type Leg = readonly [code: string, debit: number, credit: number];

/** A posted journal entry as an event. */
export function entry(book: Books, date: string, legs: readonly Leg[], more: object = {}): object {
  const lineItems = legs.map(([code, debit, credit]) => ({
    element_id: book.id(code),
    debit_amount: debit,
    credit_amount: credit,
  }));
  return {
    event_type: 'journal_entry_recorded',
    event_category: 'adjustment',
    occurred_at: `${date}T10:00:00Z`,
    source: 'manual',
    apply_handlers: true,
    metadata: { posting_date: date, memo: 'test', status: 'posted', line_items: lineItems },
    ...more,
  };
}

/** A query for the row counts of the books. */
export const counts = '{ summary { transactionCount entryCount lineItemCount } }';
