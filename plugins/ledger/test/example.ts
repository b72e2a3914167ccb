import blocks from '@pacioli/blocks';
import type { Plugin } from '@pacioli/core';
import taxonomy from '@pacioli/taxonomy';
import { type FixedClock, fixedClock, startTestService, type TestService } from '@pacioli/testing';
import { expect } from 'vitest';
import ledger from '../src/index.ts';
import type { Books, Leg, Loose } from './books.ts';
import { withoutSweep } from './schedule-books.ts';

/** The books of a worked example: one graph of its own service, because an example moves the clock. */
export interface Example extends Books {
  readonly service: TestService;
  readonly clock: FixedClock;
  /** Calls an operation that must succeed and returns its result. */
  readonly done: (name: string, body?: object) => Promise<Loose>;
}

/** The chart comes from a template or consists of given accounts. */
type Chart =
  | { readonly template: string; readonly entity_type?: string }
  | { readonly name: string; readonly elements: readonly object[] };

/** Starts a service at a given time and opens books as a user does; `otherPlugins` may stand in for a provider. */
export async function openExample(
  now: string,
  chart: Chart,
  calendar: object,
  ...otherPlugins: readonly Plugin[]
): Promise<Example> {
  const clock = fixedClock(now);
  const service = await startTestService({
    plugins: [taxonomy, blocks, ledger, ...otherPlugins],
    aliases: { ledger: ['roboledger'] },
    clock,
  });
  await withoutSweep(service);
  // A key outlives the months that the clock skips; a session does not.
  const { body } = await (await service.newUser('Ann')).post('/v1/user/api-keys', { name: 'Example' });
  const user = service.anonymous.withHeaders({ 'x-api-key': body.key });
  const graph = await user.createGraph('Example', ['roboledger']);
  const operation: Books['operation'] = (name, body = {}, headers = {}) =>
    user.post(`/extensions/roboledger/${graph}/operations/${name}`, body, headers);
  const query: Books['query'] = async (text) => {
    const answer = await user.graphql(graph, text);
    if (answer.body.errors !== undefined) throw new Error(JSON.stringify(answer.body.errors));
    return answer.body.data;
  };
  const done: Example['done'] = async (name, body = {}) => {
    const answer = await operation(name, body);
    expect([name, answer.status, answer.body.detail]).toEqual([name, 200, undefined]);
    return answer.body.result;
  };
  await done('initialize', calendar);
  if ('template' in chart) await done('initialize-chart-of-accounts', chart);
  else await done('create-taxonomy-block', { taxonomy_type: 'chart_of_accounts', ...chart });
  const { accounts } = await query('{ accounts(limit: 200) { accounts { id code } } }');
  const ids = new Map<string, string>(
    accounts.accounts.map((account: { id: string; code: string }) => [account.code, account.id]),
  );
  const id = (code: string) => ids.get(code) ?? `no account ${code}`;
  return { service, clock, graph, operation, query, done, id };
}

/** The lines of a journal on the wire. */
export function lineItems(book: Books, legs: readonly Leg[]): readonly object[] {
  return legs.map(([code, debit, credit]) => ({
    element_id: book.id(code),
    debit_amount: debit,
    credit_amount: credit,
  }));
}

/** Records an event that carries a flat journal of drafts, and returns the event. */
export function journal(book: Example, date: string, legs: readonly Leg[], more: object = {}): Promise<Loose> {
  return book.done('create-event-block', {
    event_type: 'journal_entry_recorded',
    event_category: 'adjustment',
    occurred_at: `${date}T00:00:00Z`,
    source: 'manual',
    apply_handlers: true,
    metadata: { posting_date: date, memo: 'example', line_items: lineItems(book, legs) },
    ...more,
  });
}

/** The rows of a trial balance as `code: [debits, credits, net]` in major units. */
export async function trialBalance(book: Books, range = ''): Promise<Readonly<Record<string, readonly number[]>>> {
  const { trialBalance: found } = await book.query(
    `{ trialBalance${range} { rows { accountCode totalDebits totalCredits netBalance } totalDebits totalCredits } }`,
  );
  expect(found.totalDebits).toBe(found.totalCredits);
  const rows: Record<string, readonly number[]> = { total: [found.totalDebits, found.totalCredits, 0] };
  for (const row of found.rows) rows[row.accountCode] = [row.totalDebits, row.totalCredits, row.netBalance];
  return rows;
}
