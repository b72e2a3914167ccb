/** @module-tag sessions */
// Goal: a page of a list costs the same after ten years. Method: the plans and page reads of the very statements of a
// query, with some history and with four times as much, next to a tenant with as many rows.
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Books, openBooks, startLedger } from './books.ts';
import {
  addAgents,
  addEvents,
  agentOfMost,
  buffersOf,
  nodesOf,
  type PlanNode,
  planOf,
  settleTables,
} from './long-books.ts';
import { type Interference, interfereWith } from './statement-hook.ts';

const few = 2_000;
const many = 4 * few;
const limit = 20;
/** Rows that a page may sort: the rare ones of a filter, or those of one day besides the page. */
const maxSorted = 100;

const journal = /FROM ledger_(event|transaction|entry|line_item)\b/;
const counts = /count\(\*\).*ledger_(event|transaction|entry|line_item)\b/;
/** What agents owe is read besides their list. */
const agents = /FROM ledger_agent WHERE/;

let service: TestService;
let book: Books;
let interference: Interference;

/** The plans of the statements with which a query reads its list. */
async function plansOf(query: string): Promise<readonly PlanNode[]> {
  const list = query.includes('agents(') ? agents : journal;
  const plans: PlanNode[] = [];
  interference.beforeStatement = async (text, tx, statement) => {
    if (list.test(text)) plans.push(await planOf(tx, statement));
  };
  await book.query(query);
  interference.beforeStatement = undefined;
  return plans;
}

/** Each list with its filters: values that most rows have, that few have, and that none has. */
const queries: Readonly<Record<string, string>> = {
  journalEntries: '{ journalEntries(limit: 20) { entries { id } pagination { hasMore } } }',
  'journalEntries, deep':
    '{ journalEntries(limit: 20, offset: 1500) { entries { id memo } pagination { limit offset hasMore } } }',
  'journalEntries by type, few': '{ journalEntries(limit: 20, type: "adjusting") { entries { id } } }',
  'journalEntries by type, none': '{ journalEntries(limit: 20, type: "closing") { entries { id } } }',
  'journalEntries by type, most': '{ journalEntries(limit: 20, type: "standard") { entries { id } } }',
  'journalEntries by status, few': '{ journalEntries(limit: 20, status: "reversed") { entries { id } } }',
  'journalEntries by status, none': '{ journalEntries(limit: 20, status: "draft") { entries { id } } }',
  'journalEntries by status and type':
    '{ journalEntries(limit: 20, status: "draft", type: "standard") { entries { id } } }',
  'journalEntries by provenance, few': '{ journalEntries(limit: 20, provenance: "ai_generated") { entries { id } } }',
  'journalEntries by provenance, none': '{ journalEntries(limit: 20, provenance: "source_sync") { entries { id } } }',
  'transactions, deep': '{ transactions(limit: 20, offset: 1500) { transactions { id } pagination { hasMore } } }',
  'transactions by type, few': '{ transactions(limit: 20, type: "order_received") { transactions { id } } }',
  'transactions by type, none': '{ transactions(limit: 20, type: "bill_received") { transactions { id } } }',
  'transactions by type, most': '{ transactions(limit: 20, type: "journal_entry_recorded") { transactions { id } } }',
  'eventBlocks, deep': '{ eventBlocks(limit: 20, offset: 1500) { id } }',
  'eventBlocks by type, few': '{ eventBlocks(limit: 20, eventType: "order_received") { id } }',
  'eventBlocks by type, none': '{ eventBlocks(limit: 20, eventType: "bill_received") { id } }',
  'eventBlocks by type, most': '{ eventBlocks(limit: 20, eventType: "journal_entry_recorded") { id } }',
  'eventBlocks by status, few': '{ eventBlocks(limit: 20, status: "captured") { id } }',
  'eventBlocks by status, none': '{ eventBlocks(limit: 20, status: "voided") { id } }',
  'eventBlocks by source, few': '{ eventBlocks(limit: 20, source: "bank") { id } }',
  'eventBlocks by source, none': '{ eventBlocks(limit: 20, source: "quickbooks") { id } }',
  'eventBlocks by source, most': '{ eventBlocks(limit: 20, source: "manual") { id } }',
  'eventBlocks by agent, most': `{ eventBlocks(limit: 20, agentId: "${agentOfMost}") { id } }`,
  'eventBlocks, reconciling': '{ eventBlocks(limit: 20, isReconcilingItem: true) { id } }',
  'agents by type, few': '{ agents(limit: 20, agentType: "lender", isActive: false) { id } }',
  'agents by type, none': '{ agents(limit: 20, agentType: "owner") { id } }',
  'agents by source, none': '{ agents(limit: 20, source: "quickbooks") { id } }',
  'agents, retired': '{ agents(limit: 20, isActive: false) { id } }',
  periodDrafts: '{ periodDrafts(period: "2026-02") { draftCount drafts { entryId } } }',
};

const read = async (): Promise<Readonly<Record<string, readonly PlanNode[]>>> => {
  const plans: Record<string, readonly PlanNode[]> = {};
  for (const [name, query] of Object.entries(queries)) plans[name] = await plansOf(query);
  return plans;
};

let before: Readonly<Record<string, readonly PlanNode[]>>;
let after: typeof before;
beforeAll(async () => {
  const { service: started, user } = await startLedger();
  service = started;
  interference = interfereWith(service.store);
  book = await openBooks(user);
  await fill(user);
}, 300_000);
afterAll(async () => {
  await service.close();
});

async function fill(user: TestClient): Promise<void> {
  const { store } = service;
  const neighbor = await openBooks(user);
  for (const add of [addEvents, addAgents]) {
    await add(store, neighbor, { from: 1, to: many });
    await add(store, book, { from: 1, to: few });
  }
  await settleTables(store);
  before = await read();
  for (const add of [addEvents, addAgents]) await add(store, book, { from: few + 1, to: many });
  await settleTables(store);
  after = await read();
}

const total = (plans: readonly PlanNode[] | undefined): number =>
  (plans ?? []).reduce((sum, plan) => sum + buffersOf(plan), 0);

describe('lists of the books', () => {
  it.each(Object.keys(queries))('read as many pages with four times the history: %s', (name) => {
    expect(before[name]?.length).toBeGreaterThan(0);
    expect(after[name]?.length).toBe(before[name]?.length);
    // An index may have one more level, which each of its descents reads.
    expect(total(after[name])).toBeLessThanOrEqual(1.25 * total(before[name]) + 2 * limit);
  });

  it.each(Object.keys(queries))('scan no rows of other tenants and sort no more than a page: %s', (name) => {
    for (const node of (after[name] ?? []).flatMap(nodesOf)) {
      if (node['Relation Name']?.startsWith('ledger_')) {
        expect(node['Node Type'], JSON.stringify(node)).not.toBe('Seq Scan');
        if (node['Node Type'] !== 'Bitmap Heap Scan')
          expect(node['Index Cond'], JSON.stringify(node)).toContain('graph_id');
      }
      if (!node['Node Type'].endsWith('Sort')) continue;
      for (const input of node.Plans ?? [])
        expect(input['Actual Rows'], JSON.stringify(node)).toBeLessThanOrEqual(maxSorted);
    }
  });

  it('look up the rows of a deep page and none of those before it', () => {
    for (const name of ['journalEntries, deep', 'transactions, deep', 'eventBlocks, deep'])
      expect(total(after[name]?.slice(0, 1)), name).toBeLessThan(250);
  });
});

describe('pagination', () => {
  const countsOf = async (query: string) => {
    let counted = 0;
    interference.beforeStatement = async (text) => {
      if (counts.test(text)) counted += 1;
    };
    const answer = await book.query(query);
    interference.beforeStatement = undefined;
    return { counted, answer };
  };

  it('tells that more rows follow without counting them', async () => {
    const { counted, answer } = await countsOf(`{
      first: journalEntries(limit: 20) { pagination { limit offset hasMore } entries { id } }
      last: journalEntries(limit: 20, offset: ${many - 20}) { pagination { hasMore } entries { id } }
      beyond: transactions(limit: 20, offset: ${many}) { pagination { hasMore } transactions { id } } }`);
    expect(counted).toBe(0);
    expect(answer.first.pagination).toEqual({ limit, offset: 0, hasMore: true });
    expect(answer.last.pagination).toEqual({ hasMore: false });
    expect([answer.first.entries.length, answer.last.entries.length]).toEqual([limit, limit]);
    expect(answer.beyond).toEqual({ pagination: { hasMore: false }, transactions: [] });
  });

  it('counts the rows once for all aliases of a list that select the total', async () => {
    const { counted, answer } = await countsOf(`{
      one: journalEntries(limit: 20, type: "adjusting") { pagination { total hasMore } }
      two: journalEntries(limit: 20, type: "adjusting") { pagination { total } } }`);
    expect(counted).toBe(1);
    expect(answer).toEqual({ one: { pagination: { total: 60, hasMore: true } }, two: { pagination: { total: 60 } } });
  });
});

describe('summary', () => {
  it('counts only the levels of the journal that are selected', async () => {
    const statements: string[] = [];
    interference.beforeStatement = async (text) => {
      if (counts.test(text)) statements.push(text);
    };
    const { summary } = await book.query('{ summary { entryCount latestTransactionDate } }');
    interference.beforeStatement = undefined;
    expect(summary).toEqual({ entryCount: many, latestTransactionDate: '2026-03-01' });
    expect(statements).toHaveLength(1);
  });
});
