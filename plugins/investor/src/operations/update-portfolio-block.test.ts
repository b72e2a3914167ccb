/** @module-tag sessions */
import { sql } from '@pacioli/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Fund, type InvestorService, type Loose, openFund, startInvestor } from '../../test/investor-service.ts';

const unknown = 'pos_01JQ0000000000000000000000';
let run: InvestorService;
let fund: Fund;
let [first, second, third]: string[] = [];
let portfolio: string;
let held: string;
let sold: string;
beforeAll(async () => {
  run = await startInvestor();
  fund = await openFund(run.owner);
  [first, second, third] = [await fund.security('A'), await fund.security('B'), await fund.security('C')];
});
afterAll(() => run.service.close());

/** A portfolio with an active position in the first security and a disposed one in the second. */
beforeEach(async () => {
  const block = await fund.run('create-portfolio-block', {
    portfolio: { name: 'Growth', description: 'old', entity_id: null },
    positions: [
      { security_id: first, quantity: 100, cost_basis: 1_000, current_value: 1_500, notes: 'lot' },
      { security_id: second, quantity: 5, cost_basis: 500 },
    ],
  });
  portfolio = block.id;
  [held = '', sold = ''] = block.positions.map((each: Loose) => each.id);
  await update({ positions: { dispose: [{ id: sold, disposition_reason: 'redeemed' }] } });
});

const update = (body: object) => fund.run('update-portfolio-block', { portfolio_id: portfolio, ...body });
const positionOf = async (id: string) =>
  (
    await fund.query(`{ position(positionId: "${id}") { securityId quantity quantityType costBasis currentValue currency
      valuationDate valuationSource acquisitionDate dispositionDate status notes securityName } }`)
  ).position;

/** Requires the refusal, and that nothing of the graph changed. */
async function expectRefused(positions: object, expected: readonly [number, string, string], patch: object = {}) {
  const before = await run.digests(fund.graph);
  const body = { portfolio_id: portfolio, portfolio: { name: 'Renamed', ...patch }, positions };
  const refused = await fund.operation('update-portfolio-block', body);
  expect([refused.status, refused.body.code, refused.body.detail]).toEqual(expected);
  expect(await run.digests(fund.graph)).toEqual(before);
}

describe('update-portfolio-block', () => {
  it('replaces a lot in one call, because disposals come before additions (P-10, P-11, P-16)', async () => {
    const block = await update({
      portfolio: { name: 'Value', description: null },
      positions: {
        add: [{ security_id: first, quantity: 60, cost_basis: 600 }],
        dispose: [{ id: held }],
      },
    });
    expect(block).toMatchObject({ name: 'Value', description: null, active_position_count: 1 });
    expect(block.positions[0]).toMatchObject({ quantity: 60, security: { id: first } });
    expect(await positionOf(held)).toMatchObject({ status: 'disposed', dispositionDate: '2026-05-02', notes: 'lot' });
    expect(block.total_cost_basis_dollars).toBe(6);
  });

  it('changes the listed fields, and leaves absent ones and nulls of fields that must have a value (P-14, P-18, I-30)', async () => {
    await update({
      positions: { update: [{ id: held, quantity: 60, cost_basis: 600, notes: 'sold 40', current_value: null }] },
    });
    expect(await positionOf(held)).toMatchObject({
      quantity: 60,
      costBasis: 600,
      currentValue: null,
      notes: 'sold 40',
    });
    const before = await positionOf(held);
    await update({
      portfolio: { name: null, base_currency: null },
      positions: {
        update: [
          { id: held, quantity: null, quantity_type: null, cost_basis: null, currency: 'EUR', status: 'disposed' },
        ],
      },
    });
    expect(await positionOf(held)).toEqual(before);
    await update({ positions: { update: [{ id: held, valuation_date: '2026-05-02', valuation_source: '409a' }] } });
    expect(await positionOf(held)).toEqual({ ...before, valuationDate: '2026-05-02', valuationSource: '409a' });
  });

  it('changes only the time of an empty change (I-6, P-20)', async () => {
    const before = await fund.query(`{ portfolioBlock(portfolioId: "${portfolio}") { name updatedAt } }`);
    run.clock.advance(60_000);
    for (const body of [{}, { portfolio: {}, positions: { add: [], update: [], dispose: [] } }]) {
      const block = await update(body);
      expect([block.name, block.updated_at > before.portfolioBlock.updatedAt]).toEqual(['Growth', true]);
    }
  });

  it('corrects values and notes of a disposed position, but not its holding (P-15)', async () => {
    await update({
      positions: { update: [{ id: sold, notes: 'paid out', current_value: 700, acquisition_date: '2025-01-02' }] },
    });
    expect(await positionOf(sold)).toMatchObject({
      status: 'disposed',
      notes: 'paid out',
      currentValue: 700,
      acquisitionDate: '2025-01-02',
    });
    for (const change of [{ quantity: 1 }, { quantity_type: 'units' }, { cost_basis: 1 }])
      await expectRefused({ update: [{ id: sold, ...change }] }, [
        409,
        'POSITION_NOT_ACTIVE',
        `Position ${sold} is disposed.`,
      ]);
  });

  it('changes and disposes of positions in an inactive security, but adds none (S-22, S-21)', async () => {
    const security = await fund.security('Retiring');
    const block = await update({ positions: { add: [{ security_id: security, quantity: 2 }] } });
    const position = block.positions[1].id;
    await fund.run('delete-security', { security_id: security });
    await update({ positions: { update: [{ id: position, quantity: 1 }] } });
    expect((await update({})).active_position_count).toBe(2);
    await update({ positions: { dispose: [{ id: position }] } });
    await expectRefused({ add: [{ security_id: security, quantity: 1 }] }, [
      409,
      'SECURITY_INACTIVE',
      `Security is inactive: ${security}`,
    ]);
  });

  it('refuses invalid deltas and changes nothing (P-10, P-12, P-13, P-17)', async () => {
    const other = await fund.run('create-portfolio-block', {
      portfolio: { name: 'Other' },
      positions: [{ security_id: third, quantity: 1 }],
    });
    const [elsewhere] = other.positions.map((each: Loose) => each.id);
    const twice = (id: string) =>
      [422, 'INVALID_INPUT', `Position ${id} appears more than once in the deltas.`] as const;
    await expectRefused({ update: [{ id: held }, { id: held }] }, twice(held));
    await expectRefused({ dispose: [{ id: held }, { id: held }] }, twice(held));
    await expectRefused({ update: [{ id: held }], dispose: [{ id: held }] }, twice(held));
    await expectRefused({ update: [{ id: unknown, quantity: 1 }] }, [
      404,
      'NOT_FOUND',
      `Position not found: ${unknown}`,
    ]);
    await expectRefused({ dispose: [{ id: held }, { id: unknown }] }, [
      404,
      'NOT_FOUND',
      `Position not found: ${unknown}`,
    ]);
    await expectRefused({ update: [{ id: elsewhere, quantity: 9 }] }, [
      409,
      'OTHER_PORTFOLIO',
      `Position ${elsewhere} does not belong to portfolio ${portfolio}.`,
    ]);
    await expectRefused({ dispose: [{ id: sold }] }, [
      409,
      'POSITION_NOT_ACTIVE',
      `Position ${sold} is already disposed.`,
    ]);
    const alreadyHeld = `An active position already exists for security ${first} in portfolio ${portfolio}.`;
    await expectRefused({ add: [{ security_id: first, quantity: 1 }] }, [409, 'ALREADY_HELD', alreadyHeld]);
    await expectRefused(
      {
        add: [
          { security_id: first, quantity: 1 },
          { security_id: first, quantity: 2 },
        ],
        dispose: [{ id: held }],
      },
      [409, 'ALREADY_HELD', alreadyHeld],
    );
    await expectRefused(
      {
        add: [
          { security_id: 'sec_z', quantity: 1 },
          { security_id: 'sec_a', quantity: 1 },
        ],
      },
      [404, 'NOT_FOUND', "Security not found: ['sec_a', 'sec_z']"],
    );
    await expectRefused({}, [404, 'NOT_FOUND', 'Entity not found.'], { entity_id: 'ent_none' });
  });

  it('answers 404 for a portfolio that the graph does not have, also one of another graph', async () => {
    const other = await openFund(run.owner);
    const foreign = await other.run('create-portfolio-block', { portfolio: { name: 'Foreign' } });
    const before = await run.digests(fund.graph, other.graph);
    for (const id of [foreign.id, 'port_none']) {
      const refused = await fund.operation('update-portfolio-block', { portfolio_id: id, portfolio: { name: 'Mine' } });
      expect([refused.status, refused.body.detail]).toEqual([404, 'Portfolio not found.']);
    }
    expect(await run.digests(fund.graph, other.graph)).toEqual(before);
  });

  it.each([
    ['a blank name', { portfolio: { name: ' ' } }],
    ['a base currency of digits', { portfolio: { base_currency: '123' } }],
    ['a negative quantity', { positions: { update: [{ id: 'held', quantity: -1 }] } }],
    ['a fraction of a cent', { positions: { update: [{ id: 'held', current_value: 0.5 }] } }],
    ['a date in two days', { positions: { update: [{ id: 'held', valuation_date: '2999-01-01' }] } }],
    ['a note over 4,000 characters', { positions: { update: [{ id: 'held', notes: 'x'.repeat(4_001) }] } }],
    ['an invalid quantity type', { positions: { update: [{ id: 'held', quantity_type: 'Shares' }] } }],
    ['more than 1,000 updates', { positions: { update: Array.from({ length: 1_001 }, () => ({ id: 'held' })) } }],
    ['more than 1,000 disposals', { positions: { dispose: Array.from({ length: 1_001 }, () => ({ id: 'held' })) } }],
  ])('rejects %s and changes nothing (P-2, P-6, I-9)', async (_case, body) => {
    const before = await run.digests(fund.graph);
    const filled = JSON.parse(JSON.stringify(body).replaceAll('"held"', `"${held}"`));
    const refused = await fund.operation('update-portfolio-block', { portfolio_id: portfolio, ...filled });
    expect([refused.status, refused.body.code]).toEqual([422, 'INVALID_INPUT']);
    expect(await run.digests(fund.graph)).toEqual(before);
  });

  it('lets one of parallel additions of a security win, and answers 409 to the others (I-3, P-34)', async () => {
    const add = () =>
      fund.operation('update-portfolio-block', {
        portfolio_id: portfolio,
        positions: { add: [{ security_id: third, quantity: 1 }] },
      });
    const answers = await Promise.all(Array.from({ length: 6 }, add));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    expect(new Set(answers.filter(({ status }) => status === 409).map(({ body }) => body.code))).toEqual(
      new Set(['ALREADY_HELD']),
    );
    expect((await update({})).active_position_count).toBe(2);
  });

  it('holds 5,000 active positions and refuses one more (P-21)', async () => {
    await run.service.store.transaction({ graphId: fund.graph }, async (tx) => {
      await tx.query(sql`
        INSERT INTO investor_security (graph_id, id, name, security_type, created_by, created_at, updated_at)
        SELECT ${fund.graph}, 'sec_' || n, 'Filler', 'other', 'test', now(), now() FROM generate_series(1, 4998) AS n`);
      await tx.query(sql`
        INSERT INTO investor_position (graph_id, id, portfolio_id, security_id, quantity, quantity_type, cost_basis,
          currency, status, created_by, created_at, updated_at)
        SELECT ${fund.graph}, 'pos_' || n, ${portfolio}, 'sec_' || n, 1, 'shares', 1, 'USD', 'active', 'test', now(), now()
        FROM generate_series(1, 4998) AS n`);
    });
    expect((await update({ positions: { add: [{ security_id: second, quantity: 1 }] } })).active_position_count).toBe(
      5_000,
    );
    const body = { portfolio_id: portfolio, positions: { add: [{ security_id: third, quantity: 1 }] } };
    const before = await run.digests(fund.graph);
    const refused = await fund.operation('update-portfolio-block', body);
    expect([refused.status, refused.body.code]).toEqual([422, 'INVALID_INPUT']);
    expect(refused.body.detail).toMatch(/^A portfolio holds at most 5000 active positions\./);
    expect(await run.digests(fund.graph)).toEqual(before);
  });
});
