import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fund, type InvestorService, openFund, startInvestor } from '../../test/investor-service.ts';

let run: InvestorService;
let fund: Fund;
let security: string;
beforeAll(async () => {
  run = await startInvestor();
  fund = await openFund(run.owner);
  security = await fund.security('A');
});
afterAll(() => run.service.close());

const create = (positions: readonly object[]) =>
  fund.run('create-portfolio-block', { portfolio: { name: 'P' }, positions });

describe('delete-portfolio-block', () => {
  it('needs a confirmation for active positions, and removes those of every status (P-30 to P-32)', async () => {
    const block = await create([{ security_id: security, quantity: 1 }]);
    const [position] = block.positions;
    await fund.run('update-portfolio-block', {
      portfolio_id: block.id,
      positions: { dispose: [{ id: position.id }], add: [{ security_id: security, quantity: 2 }] },
    });
    const before = await fund.all();
    for (const flag of [{}, { confirm_active_positions: false }]) {
      const refused = await fund.operation('delete-portfolio-block', { portfolio_id: block.id, ...flag });
      expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
        409,
        'ACTIVE_POSITIONS',
        'Portfolio has 1 active position(s); set confirm_active_positions=true to cascade-delete.',
      ]);
      expect(await fund.all()).toEqual(before);
    }
    const confirmed = { portfolio_id: block.id, confirm_active_positions: true };
    expect(await fund.run('delete-portfolio-block', confirmed)).toEqual({
      deleted: true,
      portfolio_id: block.id,
      positions_deleted: 2,
    });
    const after = await fund.all();
    expect([after.portfolios.portfolios, after.positions.positions]).toEqual([[], []]);
    expect(after.securities).toEqual(before.securities);
  });

  it('needs no confirmation for disposed positions alone, or none (P-31)', async () => {
    const block = await create([{ security_id: security, quantity: 1 }]);
    const dispose = [{ id: block.positions[0].id }];
    await fund.run('update-portfolio-block', { portfolio_id: block.id, positions: { dispose } });
    expect(await fund.run('delete-portfolio-block', { portfolio_id: block.id })).toMatchObject({
      positions_deleted: 1,
    });
    const empty = await create([]);
    expect(await fund.run('delete-portfolio-block', { portfolio_id: empty.id })).toMatchObject({
      positions_deleted: 0,
    });
  });

  it('answers 404 for a portfolio that the graph does not have, also one of another graph (P-32)', async () => {
    const other = await openFund(run.owner);
    const foreign = await other.run('create-portfolio-block', { portfolio: { name: 'Foreign' } });
    const before = await run.digests(fund.graph, other.graph);
    for (const id of [foreign.id, 'port_none']) {
      const refused = await fund.operation('delete-portfolio-block', { portfolio_id: id });
      expect([refused.status, refused.body.detail]).toEqual([404, 'Portfolio not found.']);
    }
    expect(await run.digests(fund.graph, other.graph)).toEqual(before);
  });
});
