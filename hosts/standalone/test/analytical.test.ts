/**
 * @module-tag sessions
 * @module-tag engines
 */
import blocks from '@pacioli/blocks';
import graph from '@pacioli/graph';
import ledger from '@pacioli/ledger';
import reporting from '@pacioli/reporting';
import taxonomy from '@pacioli/taxonomy';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoEvents } from '../src/demo/company.ts';

/**
 * Goal: the analytical graph agrees with the books. Method: part of the demo company is posted and materialized, and
 * the sums of a Cypher query are compared with the trial balance.
 */
const maxEvents = 60;

let service: TestService;
let user: TestClient;
let graphId: string;
beforeAll(async () => {
  service = await startTestService({
    plugins: [graph, taxonomy, blocks, ledger, reporting],
    aliases: { ledger: ['roboledger'] },
  });
  user = await service.newUser('Ann');
  graphId = await user.createGraph('Analytical', ['roboledger']);
  const base = `/extensions/roboledger/${graphId}/operations`;
  await user.post(`${base}/initialize-chart-of-accounts`, { template: 'product' });
  const { accounts } = (await user.graphql(graphId, '{ accounts(limit: 200) { accounts { id code } } }')).body.data
    .accounts;
  const ids = new Map(accounts.map((account: { id: string; code: string }) => [account.code, account.id]));
  for (const event of demoEvents().slice(0, maxEvents)) {
    const lines = event.lines.map((line) => ({
      element_id: ids.get(line.code),
      debit_amount: line.debitCents,
      credit_amount: line.creditCents,
    }));
    const posted = await user.post(`${base}/create-event-block`, {
      event_type: event.event_type,
      event_category: event.event_category,
      occurred_at: `${event.date}T12:00:00Z`,
      source: 'manual',
      external_id: event.external_id,
      apply_handlers: true,
      metadata: { posting_date: event.date, memo: event.description, status: 'posted', line_items: lines },
    });
    expect(posted.status).toBe(200);
  }
});
afterAll(async () => {
  await service.close();
});

async function materialize(): Promise<void> {
  const accepted = await user.post(`/v1/graphs/${graphId}/operations/materialize`, { source: 'extensions' });
  expect(accepted.status).toBe(202);
  expect((await user.follow(accepted.body.operationId)).body.status).toBe('completed');
}

async function rowsOf(query: string): Promise<readonly Record<string, number | string>[]> {
  const answer = await user.post(`/v1/graphs/${graphId}/query/cypher`, { query });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.data;
}

describe('analytical graph of a company', () => {
  it('has the balances of the books, by account (graphs 6.4, 6.7)', async () => {
    await materialize();
    const rows =
      await rowsOf(`MATCH (:Entity)-[:ENTITY_HAS_TRANSACTION]->(:Transaction)-[:TRANSACTION_HAS_ENTRY]->(e:Entry)-[:ENTRY_HAS_LINE_ITEM]->(l:LineItem)-[:LINE_ITEM_RELATES_TO_ELEMENT]->(a:Element)
      RETURN a.qname AS account, sum(l.debit_amount) - sum(l.credit_amount) AS net ORDER BY account`);
    const { trialBalance } = (await user.graphql(graphId, '{ trialBalance { rows { accountCode netBalance } } }')).body
      .data;
    const cents = (value: unknown): number => Math.round(Number(value) * 100);
    expect(rows.map((row) => [row['account'], cents(row['net'])])).toEqual(
      trialBalance.rows.map((row: { accountCode: string; netBalance: number }) => [
        `rl:${row.accountCode}`,
        cents(row.netBalance),
      ]),
    );
  });

  it('is inaccessible to another tenant, and rejects writes (graphs I-2, Q-13)', async () => {
    const stranger = await service.newUser('Stranger');
    expect(
      (await stranger.post(`/v1/graphs/${graphId}/query/cypher`, { query: 'MATCH (n) RETURN count(n) AS n' })).status,
    ).toBe(403);
    for (const query of [
      'CREATE (n:Entity {identifier: "x"})',
      'MATCH (n) DETACH DELETE n',
      'LOAD FROM "/etc/passwd" RETURN *',
      'COPY (MATCH (n:Entity) RETURN n.name) TO "/tmp/out.csv"',
    ]) {
      const refused = await user.post(`/v1/graphs/${graphId}/query/cypher`, { query });
      expect([400, 403]).toContain(refused.status);
    }
    expect((await rowsOf('MATCH (t:Transaction) RETURN count(t) AS n'))[0]).toEqual({ n: maxEvents });
  });

  it('is read by SQL as the records are now, before they are materialized (graphs SQ-8)', async () => {
    const sql = async (text: string) => (await user.post(`/v1/graphs/${graphId}/query/sql`, { sql: text })).body;
    const balances = `SELECT e.name AS account, sum(l.debit_amount) - sum(l.credit_amount) AS net
      FROM LineItem l JOIN LINE_ITEM_RELATES_TO_ELEMENT r ON r.src = l.identifier JOIN Element e ON e.identifier = r.dst
      GROUP BY ALL ORDER BY account`;
    const rows = (await sql(balances)).rows;
    const graphRows = await rowsOf(`MATCH (l:LineItem)-[:LINE_ITEM_RELATES_TO_ELEMENT]->(e:Element)
      RETURN e.name AS account, sum(l.debit_amount) - sum(l.credit_amount) AS net ORDER BY account`);
    const cents = ([account, net]: readonly unknown[]) => [account, Math.round(Number(net) * 100)];
    expect(rows.map(cents)).toEqual(graphRows.map(({ account, net }) => cents([account, net])));
    expect(rows.length).toBeGreaterThan(3);
    expect((await sql('SELECT count(*) FROM Trade')).detail).toContain('Query failed');
  });

  it('streams rows as NDJSON', async () => {
    const answer = await user.post(
      `/v1/graphs/${graphId}/query/cypher?mode=stream&chunk_size=10`,
      { query: 'MATCH (l:LineItem) RETURN l.identifier AS id' },
      { accept: 'application/x-ndjson' },
    );
    expect(answer.headers.get('content-type')).toContain('ndjson');
    const lines = String(answer.body)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.length).toBeGreaterThan(5);
  });
});
