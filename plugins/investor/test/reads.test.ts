/** @module-tag sessions */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fund, type InvestorService, type Loose, openFund, startInvestor } from './investor-service.ts';

let run: InvestorService;
let fund: Fund;
beforeAll(async () => {
  run = await startInvestor();
  fund = await openFund(run.owner);
});
afterAll(() => run.service.close());

describe('the lists of an investor', () => {
  it('are ordered by code points of names, then by id, in pages with their totals (R-1, R-2)', async () => {
    const own = await openFund(run.owner);
    const names = ['beta', 'Zeta', 'alpha', '\u{1F680} rocket', '\uFF5E wave', 'alpha'];
    for (const name of names) {
      await own.security(name);
      await own.run('create-portfolio-block', { portfolio: { name } });
    }
    const sorted = ['Zeta', 'alpha', 'alpha', 'beta', '\uFF5E wave', '\u{1F680} rocket'];
    const page = 'pagination { total limit offset hasMore }';
    const lists = await own.query(`{
      securities { securities { id name } ${page} } portfolios { portfolios { id name } ${page} }
      part: securities(limit: 2, offset: 1) { securities { name } ${page} }
      last: portfolios(limit: 2, offset: 4) { portfolios { name } ${page} }
      clamped: securities(limit: 0) { securities { name } ${page} }
      most: portfolios(limit: 5000) { portfolios { name } ${page} } }`);
    for (const [list, name] of [
      [lists.securities, 'securities'],
      [lists.portfolios, 'portfolios'],
    ] as const) {
      expect(list[name].map((each: Loose) => each.name)).toEqual(sorted);
      expect(list[name][1].id < list[name][2].id).toBe(true);
      expect(list.pagination).toEqual({ total: 6, limit: 100, offset: 0, hasMore: false });
    }
    expect(lists.part).toEqual({
      securities: [{ name: 'alpha' }, { name: 'alpha' }],
      pagination: { total: 6, limit: 2, offset: 1, hasMore: true },
    });
    expect(lists.last.pagination.hasMore).toBe(false);
    expect(lists.clamped.securities).toEqual([{ name: 'Zeta' }]);
    expect(lists.most.pagination.limit).toBe(1_000);
  });

  it('filter exactly by all that is given (R-3)', async () => {
    const own = await openFund(run.owner);
    const issuer = await own.share('kg0123456789abcdef0001', 'Northwind');
    const safe = await own.security('Safe', { security_type: 'safe', entity_id: issuer });
    const stock = await own.security('Stock', { entity_id: issuer });
    const retired = await own.security('Retired');
    await own.run('delete-security', { security_id: retired });
    const block = await own.run('create-portfolio-block', {
      portfolio: { name: 'P' },
      positions: [
        { security_id: safe, quantity: 1 },
        { security_id: stock, quantity: 1 },
      ],
    });
    const [first, second] = block.positions;
    run.clock.advance(1_000);
    await own.run('update-portfolio-block', {
      portfolio_id: block.id,
      positions: { dispose: [{ id: first.id }], add: [{ security_id: safe, quantity: 2 }] },
    });
    const lists = await own.query(`{
      ofIssuer: securities(entityId: "${issuer}") { securities { name } }
      both: securities(entityId: "${issuer}", securityType: "safe") { securities { name entityName } }
      active: securities(isActive: true) { securities { name } }
      inactive: securities(isActive: false) { securities { name } pagination { total } }
      positions { positions { id securityName entityName status } }
      disposed: positions(status: "disposed") { positions { id } pagination { total } }
      ofSecurity: positions(securityId: "${safe}", portfolioId: "${block.id}", status: "active") { positions { quantity } }
      unknown: positions(status: "sold") { positions { id } }
      elsewhere: positions(portfolioId: "port_none") { positions { id } } }`);
    const names = (list: Loose) => list.securities.map((each: Loose) => each.name);
    expect(names(lists.ofIssuer)).toEqual(['Safe', 'Stock']);
    expect(lists.both.securities).toEqual([{ name: 'Safe', entityName: 'Northwind' }]);
    expect(names(lists.active)).toEqual(['Safe', 'Stock']);
    expect(lists.inactive).toEqual({ securities: [{ name: 'Retired' }], pagination: { total: 1 } });
    const { positions } = lists.positions;
    // Newest first; of one instant, the one with the later id.
    expect(positions.map((each: Loose) => each.securityName)).toEqual(['Safe', 'Stock', 'Safe']);
    expect(positions.slice(1).map((each: Loose) => each.id)).toEqual([second.id, first.id]);
    expect(positions[0].entityName).toBe('Northwind');
    expect(lists.disposed).toEqual({ positions: [{ id: first.id }], pagination: { total: 1 } });
    expect(lists.ofSecurity.positions).toEqual([{ quantity: 2 }]);
    expect([lists.unknown.positions, lists.elsewhere.positions]).toEqual([[], []]);
  });

  it('show no rows of another graph, and null for its ids (R-4)', async () => {
    const other = await openFund(await run.service.newUser('Bob'));
    const security = await other.security('Foreign');
    const positions = [{ security_id: security, quantity: 1 }];
    const block = await other.run('create-portfolio-block', { portfolio: { name: 'Foreign' }, positions });
    for (const [portfolioId, securityId, positionId] of [
      [block.id, security, block.positions[0].id],
      ['port_none', 'sec_none', 'pos_none'],
    ])
      expect(
        await fund.query(`{ security(securityId: "${securityId}") { id } position(positionId: "${positionId}") { id }
          holdings(portfolioId: "${portfolioId}") { totalPositions } portfolioBlock(portfolioId: "${portfolioId}") { id } }`),
      ).toEqual({ security: null, position: null, holdings: null, portfolioBlock: null });
    expect((await fund.query('{ positions { pagination { total } } }')).positions.pagination.total).toBe(0);
  });
});

describe('holdings', () => {
  it('groups the positions of the example by issuer (R-20 to R-25)', async () => {
    const own = await openFund(run.owner);
    const northwind = await own.share('kg0123456789abcdef0001', 'Northwind Inc');
    const aster = await own.share('kg0123456789abcdef0002', 'Aster Fund');
    const series = await own.security('Northwind Series A', { entity_id: northwind });
    const note = await own.security('Northwind Bridge Note', { entity_id: northwind });
    const safe = await own.security('Bluefin SAFE');
    const lp = await own.security('Aster LP', { entity_id: aster });
    const block = await own.run('create-portfolio-block', {
      portfolio: { name: 'Example' },
      positions: [
        { security_id: series, quantity: 40_000, cost_basis: 10_000_000, current_value: 14_500_000 },
        { security_id: note, quantity: 250_000, quantity_type: 'principal', cost_basis: 25_000_000 },
        { security_id: safe, quantity: 1, quantity_type: 'units', cost_basis: 5_000_000 },
        {
          security_id: lp,
          quantity: 2.5,
          quantity_type: 'percentage',
          cost_basis: 30_000_000,
          current_value: 31_200_050,
        },
      ],
    });
    expect(block).toMatchObject({ total_cost_basis_dollars: 700_000, total_current_value_dollars: 457_000.5 });
    const { holdings } = await own.query(`{ holdings(portfolioId: "${block.id}") { totalEntities totalPositions
      holdings { entityId entityName sourceGraphId totalCostBasisDollars totalCurrentValueDollars positionCount
        securities { securityName quantity quantityType costBasisDollars currentValueDollars } } } }`);
    expect([holdings.totalEntities, holdings.totalPositions]).toEqual([3, 4]);
    expect(holdings.holdings.map(({ securities, ...group }: Loose) => [group, securities.length])).toEqual([
      [
        {
          entityId: aster,
          entityName: 'Aster Fund',
          sourceGraphId: 'kg0123456789abcdef0002',
          totalCostBasisDollars: 300_000,
          totalCurrentValueDollars: 312_000.5,
          positionCount: 1,
        },
        1,
      ],
      [
        {
          entityId: northwind,
          entityName: 'Northwind Inc',
          sourceGraphId: 'kg0123456789abcdef0001',
          totalCostBasisDollars: 350_000,
          totalCurrentValueDollars: 145_000,
          positionCount: 2,
        },
        2,
      ],
      [
        {
          entityId: 'unlinked',
          entityName: 'Unlinked Securities',
          sourceGraphId: null,
          totalCostBasisDollars: 50_000,
          totalCurrentValueDollars: null,
          positionCount: 1,
        },
        1,
      ],
    ]);
    expect(holdings.holdings[1].securities).toEqual([
      {
        securityName: 'Northwind Bridge Note',
        quantity: 250_000,
        quantityType: 'principal',
        costBasisDollars: 250_000,
        currentValueDollars: null,
      },
      {
        securityName: 'Northwind Series A',
        quantity: 40_000,
        quantityType: 'shares',
        costBasisDollars: 100_000,
        currentValueDollars: 145_000,
      },
    ]);
  });

  it('is empty for a portfolio without active positions (R-26)', async () => {
    const block = await fund.run('create-portfolio-block', { portfolio: { name: 'Empty' } });
    const { holdings } = await fund.query(
      `{ holdings(portfolioId: "${block.id}") { totalEntities totalPositions holdings { entityId } } }`,
    );
    expect(holdings).toEqual({ holdings: [], totalEntities: 0, totalPositions: 0 });
  });
});

describe('large amounts', () => {
  it('are integers beyond 32 bits, and exact to the cent (I-7, R-6)', async () => {
    const id = await fund.security('Large', { authorized_shares: 9_007_199_254_740_991 });
    const positions = [
      { security_id: id, quantity: 0.1, cost_basis: 5_000_000_001, current_value: 9_007_199_254_740_991 },
    ];
    const block = await fund.run('create-portfolio-block', { portfolio: { name: 'Large' }, positions });
    const { position, security } = await fund.query(`{
      position(positionId: "${block.positions[0].id}") { quantity costBasis costBasisDollars currentValue }
      security(securityId: "${id}") { authorizedShares } }`);
    expect(position).toEqual({
      quantity: 0.1,
      costBasis: 5_000_000_001,
      costBasisDollars: 50_000_000.01,
      currentValue: 9_007_199_254_740_991,
    });
    expect(security.authorizedShares).toBe(9_007_199_254_740_991);
    expect(block.total_current_value_dollars).toBe(90_071_992_547_409.91);
  });
});
