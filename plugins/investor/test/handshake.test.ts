/**
 * @module-tag sessions
 * @module-tag engines
 */
// Goal: a holder and an issuer that name each other are linked by the first shared report, in either order, and the
// holder finds its issuer's figures from its own positions. Nothing else crosses.
// Method: an issuer with books and holders in organizations of their own, through the public interface only; the return
// on equity is computed from the copy and compared with what was posted.
import graphPlugin from '@pacioli/graph';
import reporting from '@pacioli/reporting';
import { joinTeam, type TestClient } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fund, fundOf, type InvestorService, type Loose, openFund, startInvestor } from './investor-service.ts';

let run: InvestorService;
let issuer: Issuer;
beforeAll(async () => {
  run = await startInvestor({ others: [graphPlugin, reporting] });
  issuer = await openIssuer(await run.service.newUser('Ada'));
});
afterAll(() => run.service.close());

interface Issuer {
  readonly client: TestClient;
  readonly graph: string;
  readonly reportId: string;
  readonly done: (name: string, body: object) => Promise<Loose>;
}

const chart = [
  ['1000', 'asset', 'CashAndCashEquivalentsAtCarryingValue'],
  ['3000', 'equity', 'CommonStockValue'],
  ['4000', 'revenue', 'RevenueFromContractWithCustomerExcludingAssessedTax'],
  ['6000', 'expense', 'LaborAndRelatedExpense'],
] as const;

/** In April, with cents: capital of 8,000, revenue of 3,100.50 and wages of 1,100.50. */
const entries = [
  ['1000', '3000', 800_000],
  ['1000', '4000', 310_050],
  ['6000', '1000', 110_050],
] as const;

/** A company with books and a published report of April. */
async function openIssuer(client: TestClient): Promise<Issuer> {
  const graph = await client.createGraph('Northwind Inc', ['roboledger']);
  const done: Issuer['done'] = async (name, body) => {
    const answer = await client.post(`/extensions/roboledger/${graph}/operations/${name}`, body);
    expect([name, answer.status, answer.body.detail]).toEqual([name, 200, undefined]);
    return answer.body.result;
  };
  await done('initialize', { earliest_data_period: '2026-04', fiscal_year_start_month: 1 });
  const { elements, structures } = await done('create-taxonomy-block', {
    taxonomy_type: 'chart_of_accounts',
    name: 'Chart',
    elements: chart.map(([code, trait]) => ({ qname: `coa:${code}`, code, name: `Account ${code}`, trait })),
    structures: [{ name: 'To GAAP', block_type: 'coa_mapping' }],
    associations: chart.map(([code, , concept]) => ({
      structure_ref: 'To GAAP',
      from_ref: `coa:${code}`,
      to_ref: `rs-gaap:${concept}`,
      association_type: 'mapping',
    })),
  });
  const idOf = (code: string) => elements.find(({ qname }: Loose) => qname === `coa:${code}`).id;
  for (const [debit, credit, cents] of entries) {
    await done('create-event-block', {
      event_type: 'journal_entry_recorded',
      event_category: 'other',
      occurred_at: '2026-04-15T09:00:00Z',
      source: 'manual',
      apply_handlers: true,
      metadata: {
        posting_date: '2026-04-15',
        memo: 'April',
        status: 'posted',
        line_items: [
          { element_id: idOf(debit), debit_amount: cents, credit_amount: 0 },
          { element_id: idOf(credit), debit_amount: 0, credit_amount: cents },
        ],
      },
    });
  }
  const { id: reportId } = await done('create-report', {
    name: 'April 2026',
    mapping_id: structures[0].id,
    period_start: '2026-04-01',
    period_end: '2026-04-30',
    period_type: 'monthly',
    comparative: false,
  });
  return { client, graph, reportId, done };
}

let lists = 0;
/** Shares the report with a graph, as steps B and C do, and returns the outcome. */
async function share(fund: Fund): Promise<Loose> {
  lists += 1;
  const { id } = await issuer.done('create-publish-list', { name: `Holders ${lists}` });
  await issuer.done('add-publish-list-members', { list_id: id, target_graph_ids: [fund.graph] });
  return (await issuer.done('share-report', { publish_list_id: id, report_id: issuer.reportId })).results[0];
}

interface Holder {
  readonly client: TestClient;
  readonly fund: Fund;
}

async function newHolder(name: string, extensions: readonly string[] = ['roboinvestor']): Promise<Holder> {
  const client = await run.service.newUser(name);
  return { client, fund: await openFund(client, extensions, `${name} Fund`) };
}

const ledgerOf = (client: TestClient, graph: string) => (name: string, body: object) =>
  client.post(`/extensions/roboledger/${graph}/operations/${name}`, body);

const securityIn = async (fund: Fund, id: string): Promise<Loose> =>
  (await fund.query(`{ security(securityId: "${id}") { entityId entityName sourceGraphId } }`)).security;

const copiesIn = async (fund: Fund): Promise<Loose[]> =>
  (await fund.query('{ reports { reports { id name sourceGraphId sourceReportId } } }')).reports.reports;

async function hold(fund: Fund, securityId: string): Promise<string> {
  const positions = [{ security_id: securityId, quantity: 1_000, cost_basis: 500_000, current_value: 750_000 }];
  return (await fund.run('create-portfolio-block', { portfolio: { name: 'Growth' }, positions })).id;
}

const holdingsIn = async (fund: Fund, id: string): Promise<Loose[]> =>
  (
    await fund.query(`{ holdings(portfolioId: "${id}") { holdings { entityName sourceGraphId totalCostBasisDollars
      totalCurrentValueDollars positionCount securities { securityName } } } }`)
  ).holdings.holdings;

const held = { totalCostBasisDollars: 5_000, totalCurrentValueDollars: 7_500, positionCount: 1 };
const linkedHolding = () => ({ ...held, entityName: 'Northwind Inc', sourceGraphId: issuer.graph });

async function materialize({ client, graph }: { client: TestClient; graph: string }): Promise<void> {
  const accepted = await client.post(`/v1/graphs/${graph}/operations/materialize`, { source: 'extensions' });
  expect((await client.follow(accepted.body.operationId)).body.status).toBe('completed');
}

async function cypher({ client, graph }: { client: TestClient; graph: string }, query: string): Promise<Loose[]> {
  const answer = await client.post(`/v1/graphs/${graph}/query/cypher`, { query });
  expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
  return answer.body.data;
}

const facts = `(r:Report)-[:REPORT_HAS_FACT]->(f:Fact)-[:FACT_HAS_ELEMENT]->(c:Element)
  WHERE c.qname IN ['rs-gaap:NetIncomeLoss', 'rs-gaap:StockholdersEquity']`;

/** Net income in basis points of equity, from facts in cents. */
function returnOnEquity(rows: readonly Loose[]): bigint {
  const cents = new Map(rows.map(({ concept, value }) => [concept, BigInt(Math.round(value * 100))]));
  const [income = 0n, equity = 1n] = ['rs-gaap:NetIncomeLoss', 'rs-gaap:StockholdersEquity'].map((name) =>
    cents.get(name),
  );
  return (income * 10_000n) / equity;
}

describe('the handshake of a holder and an issuer', () => {
  it('links the holding at the first share, and leads from it to the figures of the issuer (investor H-1, H-15, R-21)', async () => {
    const { client, fund } = await newHolder('Bo');
    const id = await fund.security('Northwind Series A', { source_graph_id: issuer.graph });
    const portfolioId = await hold(fund, id);
    expect(await securityIn(fund, id)).toEqual({ entityId: null, entityName: null, sourceGraphId: issuer.graph });
    expect(await holdingsIn(fund, portfolioId)).toMatchObject([
      { ...held, entityName: 'Unlinked Securities', sourceGraphId: null },
    ]);
    expect(await copiesIn(fund)).toEqual([]);

    expect(await share(fund)).toMatchObject({ status: 'shared', error: null });
    expect(await securityIn(fund, id)).toMatchObject({ entityName: 'Northwind Inc', sourceGraphId: issuer.graph });
    expect(await holdingsIn(fund, portfolioId)).toEqual([
      { ...linkedHolding(), securities: [{ securityName: 'Northwind Series A' }] },
    ]);
    expect(await copiesIn(fund)).toMatchObject([{ sourceGraphId: issuer.graph, sourceReportId: issuer.reportId }]);

    await materialize({ client, graph: fund.graph });
    const atHolder = await cypher(
      { client, graph: fund.graph },
      `MATCH (p:Portfolio)-[:PORTFOLIO_HAS_POSITION]->(x:Position)-[:POSITION_IN_SECURITY]->(s:Security)
          <-[:ENTITY_ISSUES_SECURITY]-(e:Entity)-[:ENTITY_HAS_REPORT]->${facts}
        RETURN DISTINCT p.name AS portfolio, x.quantity AS quantity, s.name AS security, e.name AS issuer,
          r.name AS report, c.qname AS concept, f.numeric_value AS value ORDER BY concept`,
    );
    const path = { portfolio: 'Growth', quantity: 1_000, security: 'Northwind Series A', issuer: 'Northwind Inc' };
    expect(atHolder).toEqual([
      { ...path, report: 'April 2026', concept: 'rs-gaap:NetIncomeLoss', value: 2_000 },
      { ...path, report: 'April 2026', concept: 'rs-gaap:StockholdersEquity', value: 10_000 },
    ]);
    expect(returnOnEquity(atHolder)).toBe(2_000n);

    await materialize(issuer);
    const atIssuer = await cypher(
      issuer,
      `MATCH (e:Entity)-[:ENTITY_HAS_REPORT]->${facts}
        RETURN DISTINCT e.name AS issuer, c.qname AS concept, f.numeric_value AS value ORDER BY concept`,
    );
    expect(atIssuer.map(({ issuer: name }) => name)).toEqual(['Northwind Inc', 'Northwind Inc']);
    expect(returnOnEquity(atIssuer)).toBe(2_000n);
    const { body } = await issuer.client.get(`/v1/graphs/${issuer.graph}/schema`);
    expect(JSON.stringify(body)).not.toMatch(/Portfolio|Northwind Series/);
  });

  it('links a holding at once that names an issuer which has shared already (investor H-1, H-2, S-13)', async () => {
    const { fund } = await newHolder('Cy');
    expect(await share(fund)).toMatchObject({ status: 'shared' });
    const id = await fund.security('Northwind Series B');
    const portfolioId = await hold(fund, id);
    expect(await securityIn(fund, id)).toEqual({ entityId: null, entityName: null, sourceGraphId: null });
    await fund.run('update-security', { security_id: id, source_graph_id: issuer.graph });
    expect(await securityIn(fund, id)).toMatchObject({ entityName: 'Northwind Inc', sourceGraphId: issuer.graph });
    expect(await holdingsIn(fund, portfolioId)).toMatchObject([linkedHolding()]);
    const other = await fund.security('Northwind Note', { source_graph_id: issuer.graph });
    expect(await securityIn(fund, other)).toMatchObject({ entityName: 'Northwind Inc' });
  });

  it('keeps the link when the copy is withdrawn, and gives the issuer nothing of the holder (investor B-3, H-4)', async () => {
    const { fund } = await newHolder('Di');
    const id = await fund.security('Northwind Series C', { source_graph_id: issuer.graph });
    await share(fund);
    const revoked = await issuer.done('revoke-report-share', {
      report_id: issuer.reportId,
      target_graph_id: fund.graph,
    });
    expect(revoked).toMatchObject({ copy_deleted: true });
    expect(await copiesIn(fund)).toEqual([]);
    expect(await securityIn(fund, id)).toMatchObject({ entityName: 'Northwind Inc' });
    const { body } = await issuer.client.graphql(fund.graph, `{ security(securityId: "${id}") { id } }`);
    expect(body.data?.security ?? null).toBeNull();
  });
});

describe('accept_shares', () => {
  it('lets in the sources of active securities only, once set to declared (investor X-7)', async () => {
    const { client, fund } = await newHolder('Eve');
    const set = await ledgerOf(client, fund.graph)('update-share-settings', { accept_shares: 'declared' });
    expect([set.status, set.body.detail]).toEqual([200, undefined]);
    const keptOut = { status: 'error', error: 'Recipient has blocked shares from this graph.' };
    expect(await share(fund)).toMatchObject(keptOut);
    const id = await fund.security('Northwind Series D', { source_graph_id: issuer.graph });
    expect(await share(fund)).toMatchObject({ status: 'shared' });
    await fund.run('delete-security', { security_id: id });
    expect(await share(fund)).toMatchObject(keptOut);
  });
});

describe('block-source-graph and unblock-source-graph', () => {
  it('leave purging and lifting a block to admins of the graph (investor 7.8)', async () => {
    const { client, fund } = await newHolder('Fay');
    await share(fund);
    const member = await joinTeam(run.service, client);
    const granted = await client.post(`/v1/graphs/${fund.graph}/members`, { user_id: member.userId, role: 'member' });
    expect(granted.status).toBe(201);
    const byMember = ledgerOf(member.client, fund.graph);
    const byAdmin = ledgerOf(client, fund.graph);
    const source = { source_graph_id: issuer.graph };

    const before = await run.digests(fund.graph);
    const purge = await byMember('block-source-graph', { ...source, purge: true });
    expect([purge.status, purge.body.detail]).toEqual([403, 'Purging shared reports requires the graph admin role.']);
    expect(await run.digests(fund.graph)).toEqual(before);
    expect((await byMember('block-source-graph', source)).status).toBe(200);
    const blocked = await run.digests(fund.graph);
    const lifted = await byMember('unblock-source-graph', source);
    expect([lifted.status, lifted.body.detail]).toEqual([403, 'Lifting a block requires the graph admin role.']);
    expect(await run.digests(fund.graph)).toEqual(blocked);
    expect(await share(fund)).toMatchObject({ error: 'Recipient has blocked shares from this graph.' });

    const purged = await byAdmin('block-source-graph', { ...source, purge: true });
    expect(purged.body.result).toMatchObject({ already_blocked: true, purged_report_count: 1 });
    expect(await copiesIn(fundOf(member.client, fund.graph))).toEqual([]);
    expect((await byAdmin('unblock-source-graph', source)).status).toBe(200);
    expect(await share(fund)).toMatchObject({ status: 'shared' });
  });
});
