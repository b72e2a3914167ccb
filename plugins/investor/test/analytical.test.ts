/**
 * @module-tag sessions
 * @module-tag engines
 */
import graph from '@pacioli/graph';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fund, type InvestorService, type Loose, openFund, startInvestor } from './investor-service.ts';

let run: InvestorService;
let fund: Fund;
let owner: string;
const securities: Record<string, string> = {};
beforeAll(async () => {
  run = await startInvestor({ others: [graph] });
  fund = await openFund(run.owner);
  owner = await fund.share('kg0123456789abcdef0009', 'Harbour Partners');
  const northwind = await fund.share('kg0123456789abcdef0001', 'Northwind Inc');
  securities['linked'] = await fund.security('Linked', { entity_id: northwind, terms: { ticker: 'NWND' } });
  securities['waiting'] = await fund.security('Waiting', { source_graph_id: 'kg0123456789abcdef0003' });
  securities['retired'] = await fund.security('Retired');
  securities['unused'] = await fund.security('Unused');
  const { linked, waiting, retired } = securities;
  const block = await fund.run('create-portfolio-block', {
    portfolio: { name: 'Growth', entity_id: owner, inception_date: '2024-01-31' },
    positions: [
      { security_id: linked, quantity: 2.5, cost_basis: 1_050, current_value: 3_000 },
      { security_id: waiting, quantity: 1, cost_basis: 5, currency: 'JPY', acquisition_date: '2025-06-30' },
      { security_id: retired, quantity: 7, cost_basis: 700, current_value: 9_000 },
    ],
  });
  const positions = { dispose: [{ id: block.positions[2].id }] };
  await fund.run('update-portfolio-block', { portfolio_id: block.id, positions });
  for (const id of [retired, securities['unused']]) await fund.run('delete-security', { security_id: id });
  await materialize();
});
afterAll(() => run.service.close());

async function materialize(): Promise<void> {
  const accepted = await run.owner.post(`/v1/graphs/${fund.graph}/operations/materialize`, { source: 'extensions' });
  expect((await run.owner.follow(accepted.body.operationId)).body.status).toBe('completed');
}

async function rowsOf(query: string): Promise<Loose> {
  const answer = await run.owner.post(`/v1/graphs/${fund.graph}/query/cypher`, { query });
  expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
  return answer.body.data;
}

describe('the analytical graph of an investor', () => {
  it('leads from the owner to the issuer through positions of every status (R-40, graphs 6.5, 6.8)', async () => {
    const path = `MATCH (o:Entity)-[h:ENTITY_HAS_PORTFOLIO]->(p:Portfolio)-[a:PORTFOLIO_HAS_POSITION]->(x:Position)-[:POSITION_IN_SECURITY]->(s:Security)`;
    expect(
      await rowsOf(`${path}<-[:ENTITY_ISSUES_SECURITY]-(i:Entity)
        RETURN o.name AS owner, h.ownership_type AS kind, p.name AS portfolio, s.ticker AS ticker, i.name AS issuer`),
    ).toEqual([
      { owner: 'Harbour Partners', kind: 'direct', portfolio: 'Growth', ticker: 'NWND', issuer: 'Northwind Inc' },
    ]);
    expect(
      await rowsOf(`${path} RETURN s.name AS security, x.quantity AS quantity, x.cost_basis AS cost, x.current_value AS value,
        x.status AS status, a.allocation_percentage AS share ORDER BY security`),
    ).toEqual([
      { security: 'Linked', quantity: 2.5, cost: 10.5, value: 30, status: 'active', share: null },
      { security: 'Retired', quantity: 7, cost: 7, value: 90, status: 'disposed', share: null },
      { security: 'Waiting', quantity: 1, cost: 0.05, value: null, status: 'active', share: null },
    ]);
  });

  it('has inactive securities only if a position refers to them, and the source graph of each (graphs SC-32)', async () => {
    expect(
      await rowsOf(
        'MATCH (s:Security) RETURN s.name AS name, s.is_active AS active, s.source_graph_id AS source ORDER BY name',
      ),
    ).toEqual([
      { name: 'Linked', active: true, source: 'kg0123456789abcdef0001' },
      { name: 'Retired', active: false, source: null },
      { name: 'Waiting', active: true, source: 'kg0123456789abcdef0003' },
    ]);
  });

  it('shares the value of a portfolio among positions that all have one, in one currency (R-40)', async () => {
    const [first, second] = [await fund.security('First'), await fund.security('Second')];
    await fund.run('create-portfolio-block', {
      portfolio: { name: 'Shares' },
      positions: [
        { security_id: first, quantity: 1, current_value: 100 },
        { security_id: second, quantity: 1, current_value: 300 },
      ],
    });
    await materialize();
    expect(
      await rowsOf(`MATCH (:Portfolio {name: 'Shares'})-[a:PORTFOLIO_HAS_POSITION]->(:Position)
        RETURN a.allocation_percentage AS share ORDER BY share`),
    ).toEqual([{ share: 25 }, { share: 75 }]);
  });

  it('has the reserved types without rows (R-41)', async () => {
    for (const type of ['Trade', 'Benchmark', 'MarketData'])
      expect(await rowsOf(`MATCH (n:${type}) RETURN count(n) AS count`)).toEqual([{ count: 0 }]);
  });
});
