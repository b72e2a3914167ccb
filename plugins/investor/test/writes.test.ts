// Goal: every write of the domain is allowed, recorded and announced alike. Method: each operation is called once as
// members of each role, on graphs with and without the domain, and its traces are read.
/** @module-tag sessions */
import { kernel } from '@pacioli/core';
import { joinTeam, listenTo, type TestClient } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  portfolioCreated,
  portfolioDeleted,
  portfolioUpdated,
  positionsChanged,
  positionsDisposed,
  positionsOpened,
  securityCreated,
  securityDeactivated,
  securityUpdated,
} from '../src/index.ts';
import { type Fund, fundOf, type InvestorService, type Loose, openFund, startInvestor } from './investor-service.ts';

const listener = listenTo(
  portfolioCreated,
  portfolioDeleted,
  portfolioUpdated,
  positionsChanged,
  positionsDisposed,
  positionsOpened,
  securityCreated,
  securityDeactivated,
  securityUpdated,
);

let run: InvestorService;
let fund: Fund;
let member: TestClient;
let viewer: TestClient;
beforeAll(async () => {
  run = await startInvestor({ others: [listener.plugin] });
  fund = await openFund(run.owner);
  const [first, second] = [await joinTeam(run.service, run.owner), await joinTeam(run.service, run.owner)];
  for (const [team, role] of [
    [first, 'member'],
    [second, 'viewer'],
  ] as const)
    await run.owner.post(`/v1/graphs/${fund.graph}/members`, { user_id: team.userId, role });
  member = first.client;
  viewer = second.client;
});
afterAll(() => run.service.close());

const names = [
  'create-security',
  'update-security',
  'delete-security',
  'create-portfolio-block',
  'update-portfolio-block',
  'delete-portfolio-block',
] as const;

/** A valid request of each operation for rows that exist. */
async function requests(): Promise<Readonly<Record<(typeof names)[number], object>>> {
  const securityId = await fund.security('Held');
  const { id: portfolioId } = await fund.run('create-portfolio-block', { portfolio: { name: 'P' } });
  return {
    'create-security': { name: 'New', security_type: 'safe' },
    'update-security': { security_id: securityId, name: 'Renamed' },
    'delete-security': { security_id: securityId },
    'create-portfolio-block': { portfolio: { name: 'New' } },
    'update-portfolio-block': { portfolio_id: portfolioId, portfolio: { name: 'Renamed' } },
    'delete-portfolio-block': { portfolio_id: portfolioId },
  };
}

const staleReason = () =>
  run.service.store.transaction('kernel', async (tx) => {
    const graphs = run.service.service.services.resolve(kernel.graphs);
    const reason = (await graphs.find(tx, fund.graph))?.staleReason;
    await graphs.clearStale(tx, fund.graph);
    return reason;
  });

const reasons = {
  'create-security': 'security_created',
  'update-security': 'security_updated',
  'delete-security': 'security_deleted',
  'create-portfolio-block': 'portfolio_block_created',
  'update-portfolio-block': 'portfolio_block_updated',
  'delete-portfolio-block': 'portfolio_block_deleted',
};

describe('the operations of an investor', () => {
  it('need a member of the graph: a viewer gets 403, and so does a stranger (I-21)', async () => {
    const bodies = await requests();
    const before = await run.digests(fund.graph);
    const stranger = await run.service.newUser('Eve');
    for (const name of names)
      for (const client of [viewer, stranger])
        expect([name, (await fundOf(client, fund.graph).operation(name, bodies[name])).status]).toEqual([name, 403]);
    expect(await run.digests(fund.graph)).toEqual(before);
    expect((await viewer.graphql(fund.graph, '{ securities { pagination { total } } }')).body.errors).toBeUndefined();
    expect((await fundOf(member, fund.graph).operation('create-security', bodies['create-security'])).status).toBe(200);
  });

  it('refuse a shared repository before anything else (I-21)', async () => {
    for (const name of names) expect((await fundOf(run.owner, 'sec').operation(name, {})).status).toBe(403);
  });

  it('need a graph with the domain, under both of its names; queries say so, too (I-20, I-22)', async () => {
    const books = await openFund(run.owner, ['roboledger'], 'Books');
    const bodies = await requests();
    const before = await run.digests(books.graph, fund.graph);
    for (const name of names) {
      const refused = await books.operation(name, bodies[name]);
      expect([name, refused.status, refused.body.code]).toEqual([name, 403, 'EXTENSION_NOT_PROVISIONED']);
    }
    expect(await run.digests(books.graph, fund.graph)).toEqual(before);
    const { body } = await run.owner.graphql(books.graph, '{ portfolios { pagination { total } } }');
    expect([body.data.portfolios, body.errors[0].extensions.code]).toEqual([null, 'EXTENSION_NOT_PROVISIONED']);
    const neutral = `/extensions/investor/${fund.graph}/operations/create-security`;
    expect((await run.owner.post(neutral, bodies['create-security'])).body).toMatchObject({
      operation: 'create-security',
      status: 'completed',
    });
  });

  it('mark the analytical graph stale once, also when an answer is replayed (I-24, I-25)', async () => {
    for (const name of names) {
      const body = (await requests())[name];
      await staleReason();
      const headers = { 'Idempotency-Key': `once-${name}` };
      const first = await fund.operation(name, body, headers);
      expect([name, first.status, await staleReason()]).toEqual([name, 200, reasons[name]]);
      const again = await fund.operation(name, body, headers);
      expect(again.body).toMatchObject({ result: first.body.result, idempotentReplay: true });
      expect(await staleReason()).toBeUndefined();
    }
    const reused = await fund.operation(
      'create-security',
      { name: 'Else', security_type: 'safe' },
      {
        'Idempotency-Key': 'once-create-security',
      },
    );
    expect([reused.status, reused.body.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('announce what they did, by ids alone (I-27)', async () => {
    const [held, sold] = [await fund.security('Held'), await fund.security('Sold')];
    const heard = (work: () => Promise<unknown>): Promise<readonly Loose[]> => listener.during(run.service, work);
    const graphId = fund.graph;
    let block: Loose;
    const created = await heard(async () => {
      block = await fund.run('create-portfolio-block', {
        portfolio: { name: 'P' },
        positions: [
          { security_id: held, quantity: 1 },
          { security_id: sold, quantity: 1 },
        ],
      });
    });
    const portfolio = { graph_id: graphId, portfolio_id: block.id };
    const [first, second] = block.positions.map((each: Loose) => each.id);
    expect(created).toEqual([
      { name: 'investor.portfolio-created', payload: portfolio },
      { name: 'investor.positions-opened', payload: { ...portfolio, position_ids: [first, second] } },
    ]);
    const changed = await heard(() =>
      fund.run('update-portfolio-block', {
        portfolio_id: block.id,
        positions: { update: [{ id: first, quantity: 2 }], dispose: [{ id: second }] },
      }),
    );
    expect(changed).toEqual([
      { name: 'investor.portfolio-updated', payload: portfolio },
      { name: 'investor.positions-changed', payload: { ...portfolio, position_ids: [first] } },
      { name: 'investor.positions-disposed', payload: { ...portfolio, position_ids: [second] } },
    ]);
    const security = { graph_id: graphId, security_id: held };
    expect(
      await heard(async () => {
        await fund.operation('update-portfolio-block', {
          portfolio_id: block.id,
          positions: { dispose: [{ id: second }] },
        });
        await fund.run('update-security', { security_id: held, name: 'Renamed' });
        await fund.run('delete-security', { security_id: held });
        await fund.run('delete-portfolio-block', { portfolio_id: block.id, confirm_active_positions: true });
      }),
    ).toEqual([
      { name: 'investor.portfolio-deleted', payload: portfolio },
      { name: 'investor.security-deactivated', payload: security },
      { name: 'investor.security-updated', payload: security },
    ]);
  });
});

describe('a repeated request', () => {
  it('with the same key and another body is refused, and changes nothing (I-24)', async () => {
    for (const name of ['create-security', 'update-security'] as const) {
      const body = (await requests())[name];
      const key = { 'idempotency-key': `repeated-${name}` };
      expect((await fund.operation(name, body, key)).status).toBe(200);
      const before = await run.digests(fund.graph);
      const refused = await fund.operation(name, { ...body, name: 'Other' }, key);
      expect([name, refused.status]).toEqual([name, 409]);
      expect(await run.digests(fund.graph)).toEqual(before);
    }
  });
});

describe('a graph of an investor', () => {
  it('has the company that it was created for, once, also when it gets books later (graphs G-21)', async () => {
    const both = await openFund(run.owner, ['roboinvestor', 'roboledger'], 'Both');
    const later = await openFund(run.owner, ['roboinvestor'], 'Later');
    const added = await run.owner.post(`/v1/graphs/${later.graph}/operations/add-extension`, {
      extension: 'roboledger',
    });
    expect(added.status).toBe(200);
    for (const [each, name] of [
      [both, 'Both'],
      [later, 'Later'],
    ] as const)
      expect((await each.query('{ entities { name uri } }')).entities).toEqual([
        { name, uri: `https://example.org/${name}` },
      ]);
  });
});
