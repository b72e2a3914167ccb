import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fund, type InvestorService, openFund, startInvestor } from '../../test/investor-service.ts';

let run: InvestorService;
let fund: Fund;
beforeAll(async () => {
  run = await startInvestor();
  fund = await openFund(run.owner);
});
afterAll(() => run.service.close());

describe('delete-security', () => {
  it('deactivates a security, again without effect, and leaves its positions (S-10, S-20, S-21)', async () => {
    const id = await fund.security('Retiring');
    const positions = [{ security_id: id, quantity: 3, cost_basis: 900 }];
    const block = await fund.run('create-portfolio-block', { portfolio: { name: 'P' }, positions });
    expect(await fund.run('delete-security', { security_id: id })).toEqual({ deleted: true });
    const before = await fund.all();
    run.clock.advance(60_000);
    expect(await fund.run('delete-security', { security_id: id })).toEqual({ deleted: true });
    expect(await fund.all()).toEqual(before);
    const { portfolioBlock, holdings, securities } = await fund.query(`{
      portfolioBlock(portfolioId: "${block.id}") { totalCostBasisDollars positions { security { isActive } } }
      holdings(portfolioId: "${block.id}") { totalPositions }
      securities(isActive: false) { securities { id } } }`);
    expect(portfolioBlock).toEqual({ totalCostBasisDollars: 9, positions: [{ security: { isActive: false } }] });
    expect([holdings.totalPositions, securities.securities]).toEqual([1, [{ id }]]);
    expect(await fund.run('update-security', { security_id: id, is_active: true })).toMatchObject({ is_active: true });
  });

  it('answers 404 for a security that the graph does not have, also one of another graph (S-20)', async () => {
    const other = await openFund(run.owner);
    const foreign = await other.security('Foreign');
    const before = await run.digests(fund.graph, other.graph);
    for (const id of [foreign, 'sec_none']) {
      const refused = await fund.operation('delete-security', { security_id: id });
      expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
        404,
        'NOT_FOUND',
        'Security not found.',
      ]);
    }
    expect(await run.digests(fund.graph, other.graph)).toEqual(before);
  });
});
