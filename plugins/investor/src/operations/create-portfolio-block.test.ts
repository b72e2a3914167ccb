/** @module-tag sessions */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fund, type InvestorService, type Loose, openFund, startInvestor } from '../../test/investor-service.ts';

const unknown = 'sec_01JQ0000000000000000000000';
let run: InvestorService;
let fund: Fund;
let series: string;
let note: string;
beforeAll(async () => {
  run = await startInvestor();
  fund = await openFund(run.owner);
  series = await fund.security('Northwind Series A', { security_type: 'preferred_stock' });
  note = await fund.security('Northwind Bridge Note', { security_type: 'convertible_note' });
});
afterAll(() => run.service.close());

/** Requires the refusal, and that nothing of the graph changed. */
async function expectRefused(body: object, expected: { status: number; code: string; detail: unknown }) {
  const before = await run.digests(fund.graph);
  const refused = await fund.operation('create-portfolio-block', body);
  expect({ status: refused.status, code: refused.body.code, detail: refused.body.detail }).toEqual(expected);
  expect(await run.digests(fund.graph)).toEqual(before);
}

describe('create-portfolio-block', () => {
  it('creates a portfolio with positions, their defaults and totals, as GraphQL shows it (P-4, P-5, P-7, R-31)', async () => {
    const block = await fund.run('create-portfolio-block', {
      portfolio: { name: ' Growth ', base_currency: 'usd', strategy: 'venture', inception_date: '2024-01-31' },
      positions: [
        { security_id: series, quantity: 40_000.5, cost_basis: 10_000_000, current_value: 5_000_000_000 },
        { security_id: note, quantity: 250_000, quantity_type: 'principal', cost_basis: 25_000_001, notes: ' ' },
      ],
    });
    expect(block).toMatchObject({
      name: 'Growth',
      base_currency: 'USD',
      owner: null,
      total_cost_basis_dollars: 350_000.01,
      total_current_value_dollars: 50_000_000,
      active_position_count: 2,
      created_at: '2026-05-02T08:00:00.000Z',
    });
    expect(block.id).toMatch(/^port_[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(block.positions.map((each: Loose) => each.id)).toEqual(
      [...block.positions.map((each: Loose) => each.id)].sort(),
    );
    expect(block.positions[1]).toEqual({
      id: expect.stringMatching(/^pos_[0-9A-HJKMNP-TV-Z]{26}$/),
      quantity: 250_000,
      quantity_type: 'principal',
      cost_basis_dollars: 250_000.01,
      current_value_dollars: null,
      valuation_date: null,
      valuation_source: null,
      acquisition_date: null,
      status: 'active',
      notes: null,
      security: {
        id: note,
        name: 'Northwind Bridge Note',
        security_type: 'convertible_note',
        security_subtype: null,
        is_active: true,
        issuer: null,
        source_graph_id: null,
      },
    });
    const { portfolioBlock, positions } = await fund.query(`{
      portfolioBlock(portfolioId: "${block.id}") { id name description strategy inceptionDate baseCurrency owner { id }
        totalCostBasisDollars totalCurrentValueDollars activePositionCount createdAt updatedAt
        positions { id quantity quantityType costBasisDollars currentValueDollars valuationDate valuationSource
          acquisitionDate status notes security { id name securityType securitySubtype isActive issuer { id } sourceGraphId } } }
      positions(securityId: "${series}") { positions { costBasis currency currentValue currentValueDollars } } }`);
    expect(snakeCased(portfolioBlock)).toEqual(block);
    expect(positions.positions).toEqual([
      { costBasis: 10_000_000, currency: 'USD', currentValue: 5_000_000_000, currentValueDollars: 50_000_000 },
    ]);
  });

  it('creates an empty portfolio, also one whose name is taken (P-2, P-3, R-12)', async () => {
    for (const positions of [{}, { positions: [] }]) {
      const block = await fund.run('create-portfolio-block', { portfolio: { name: 'Empty' }, ...positions });
      expect(block).toMatchObject({
        positions: [],
        total_cost_basis_dollars: 0,
        total_current_value_dollars: null,
        active_position_count: 0,
      });
    }
  });

  it('stores the owner, an entity of this graph only (P-1, R-30)', async () => {
    const owner = await fund.share('kg0123456789abcdef0009', 'Harbour Partners');
    const block = await fund.run('create-portfolio-block', { portfolio: { name: 'Owned', entity_id: owner } });
    expect(block.owner).toEqual({ id: owner, name: 'Harbour Partners', source_graph_id: 'kg0123456789abcdef0009' });
    const other = await openFund(run.owner);
    const foreign = await other.share('kg0123456789abcdef0009', 'Elsewhere');
    await expectRefused(
      { portfolio: { name: 'Foreign', entity_id: foreign }, positions: [{ security_id: unknown, quantity: 1 }] },
      { status: 404, code: 'NOT_FOUND', detail: 'Entity not found.' },
    );
  });

  it('names all missing securities, sorted, before inactive ones and duplicates (P-1, S-22)', async () => {
    const other = await openFund(run.owner);
    const foreign = await other.security('Foreign');
    const inactive = await fund.security('Retired');
    await fund.run('delete-security', { security_id: inactive });
    const body = (ids: readonly string[]) => ({
      portfolio: { name: 'Refused' },
      positions: ids.map((id) => ({ security_id: id, quantity: 1 })),
    });
    await expectRefused(body([foreign, inactive, series, series, unknown]), {
      status: 404,
      code: 'NOT_FOUND',
      detail: `Security not found: [${[foreign, unknown].sort().map((id) => `'${id}'`)[0]}, '${[foreign, unknown].sort()[1]}']`,
    });
    await expectRefused(body([series, series, inactive]), {
      status: 409,
      code: 'SECURITY_INACTIVE',
      detail: `Security is inactive: ${inactive}`,
    });
    await expectRefused(body([note, series, series]), {
      status: 409,
      code: 'ALREADY_HELD',
      detail: expect.stringMatching(
        new RegExp(`^An active position already exists for security ${series} in portfolio port_\\w+\\.$`),
      ),
    });
  });

  const position = (more: object) => ({ portfolio: { name: 'P' }, positions: [{ quantity: 1, ...more }] });
  it.each([
    ['no name', { portfolio: {} }, /name/],
    ['a blank name', { portfolio: { name: ' ' } }, /^portfolio\.name: between 1 and 200/],
    ['a long name', { portfolio: { name: 'x'.repeat(201) } }, /^portfolio\.name: between 1 and 200/],
    ['a base currency of two letters', { portfolio: { name: 'P', base_currency: 'US' } }, /base_currency/],
    ['an invalid inception date', { portfolio: { name: 'P', inception_date: '2024-02-30' } }, /inception_date/],
    ['a long note', position({ notes: 'x'.repeat(4_001) }), /notes/],
    ['a negative quantity', position({ quantity: -1 }), /quantity/],
    [
      'an infinite quantity',
      '{"portfolio":{"name":"P"},"positions":[{"security_id":"S","quantity":1e400}]}',
      /quantity/,
    ],
    ['a quantity of 10^20', position({ quantity: 1e20 }), /^positions\.0\.quantity: must be a number/],
    ['an invalid quantity type', position({ quantity_type: 'Shares' }), /quantity_type/],
    ['a negative cost basis', position({ cost_basis: -1 }), /cost_basis/],
    ['a fraction of a cent', position({ cost_basis: 1.5 }), /cost_basis/],
    ['a cost basis beyond exact numbers', position({ cost_basis: 9_007_199_254_740_992 }), /cost_basis/],
    ['a negative value', position({ current_value: -1 }), /current_value/],
    ['an invalid currency', position({ currency: 'EURO' }), /currency/],
    [
      'an acquisition date in two days',
      position({ acquisition_date: '2026-05-04' }),
      /^positions\.0\.acquisition_date/,
    ],
    ['a valuation date in two days', position({ valuation_date: '2026-05-04' }), /^positions\.0\.valuation_date/],
    [
      'more than 1,000 positions',
      { portfolio: { name: 'P' }, positions: Array.from({ length: 1_001 }, () => ({ security_id: 'S', quantity: 1 })) },
      /positions/,
    ],
  ])('rejects %s and stores nothing (I-9, P-2 to P-6)', async (_case, body, message) => {
    const filled = typeof body === 'string' ? body.replace('"S"', `"${series}"`) : withSecurity(body);
    const before = await run.digests(fund.graph);
    const refused = await run.owner.request(
      'POST',
      `/extensions/roboinvestor/${fund.graph}/operations/create-portfolio-block`,
      filled,
    );
    expect([refused.status, refused.body.code]).toEqual([422, 'INVALID_INPUT']);
    expect(JSON.stringify(refused.body.detail).replace(/^"/, '')).toMatch(message);
    expect(await run.digests(fund.graph)).toEqual(before);
  });

  it('accepts the limits: 1,000 positions, dates of tomorrow, 10^20 less a little, and 0 (I-9, P-2, P-6)', async () => {
    const own = await openFund(run.owner);
    const ids: string[] = [];
    for (let made = 0; made < 20; made += 1)
      ids.push(...(await Promise.all(Array.from({ length: 50 }, (_, index) => own.security(`S${made}-${index}`)))));
    const positions = ids.map((id) => ({ security_id: id, quantity: 0 }));
    const [first, ...others] = positions;
    const dates = { acquisition_date: '2026-05-03', valuation_date: '2026-05-03' };
    const block = await own.run('create-portfolio-block', {
      portfolio: { name: 'x'.repeat(200) },
      positions: [{ ...first, quantity: 99_999_999_999_999_980_000, ...dates }, ...others],
    });
    expect(block.active_position_count).toBe(1_000);
    expect(block.positions.map((each: Loose) => each.security.id)).toEqual(ids);
    expect(block.positions[0].quantity).toBe(99_999_999_999_999_980_000);
  });

  function withSecurity(body: object): object {
    const { positions, ...others } = body as { positions?: readonly object[] };
    if (positions === undefined) return others;
    return { ...others, positions: positions.map((each) => ({ security_id: series, ...each })) };
  }
});

/** GraphQL names as in REST. */
function snakeCased(value: Loose): Loose {
  if (Array.isArray(value)) return value.map(snakeCased);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      snakeCased(each),
    ]),
  );
}
