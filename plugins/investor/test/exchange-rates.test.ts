// Goal: totals never add currencies as if they were equal. Method: one deployment has a source of rates that knows EUR,
// the other has none; both log the positions that their totals leave out.
import { contribute, definePlugin } from '@pacioli/core';
import { silentLog } from '@pacioli/core/assembly';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchangeRates } from '../src/index.ts';
import { type Fund, type InvestorService, openFund, startInvestor } from './investor-service.ts';

const knowsEuro = definePlugin({
  name: 'rates',
  title: 'Rates',
  version: '0.1.0',
  kernel: '^0.1.0',
  dependsOn: ['investor'],
  contributions: [
    contribute(exchangeRates, 'rates', { create: () => ({ rates: async () => new Map([['EUR', '1.0842']]) }) }),
  ],
});

const warnings: object[] = [];
const log = {
  ...silentLog,
  warn: (_message: string, fields?: object) => {
    if (fields !== undefined) warnings.push(fields);
  },
};
let plain: InvestorService;
let rated: InvestorService;
beforeAll(async () => {
  plain = await startInvestor({ log });
  rated = await startInvestor({ others: [knowsEuro] });
});
afterAll(async () => {
  await plain.service.close();
  await rated.service.close();
});

async function mixedBlock(fund: Fund) {
  const ids = [await fund.security('A'), await fund.security('B'), await fund.security('C')];
  const [usd, eur, jpy] = ids;
  return fund.run('create-portfolio-block', {
    portfolio: { name: 'Mixed' },
    positions: [
      { security_id: usd, quantity: 1, cost_basis: 1_000, current_value: 1_100 },
      { security_id: eur, quantity: 1, cost_basis: 333, currency: 'eur', current_value: 500 },
      { security_id: jpy, quantity: 1, cost_basis: 50_000, currency: 'JPY' },
    ],
  });
}

describe('totals of several currencies', () => {
  it('leave out positions in other currencies, and the log names them (I-8, R-13)', async () => {
    const fund = await openFund(plain.owner);
    const block = await mixedBlock(fund);
    expect(block).toMatchObject({
      total_cost_basis_dollars: 10,
      total_current_value_dollars: 11,
      active_position_count: 3,
    });
    expect(block.positions[2].cost_basis_dollars).toBe(500);
    const omitted = [
      { currency: 'EUR', count: 1, cost_basis: '333', current_value: '500' },
      { currency: 'JPY', count: 1, cost_basis: '50000', current_value: null },
    ];
    expect(warnings).toContainEqual({ portfolio_id: block.id, omitted });
    const { holdings } = await fund.query(
      `{ holdings(portfolioId: "${block.id}") { totalPositions holdings { totalCostBasisDollars positionCount } } }`,
    );
    expect(holdings).toEqual({ totalPositions: 3, holdings: [{ totalCostBasisDollars: 10, positionCount: 3 }] });
  });

  it('convert a currency with a rate once, rounded half to even (R-13)', async () => {
    const block = await mixedBlock(await openFund(rated.owner));
    // 333 × 1.0842 = 361.0386 and 500 × 1.0842 = 542.1.
    expect(block).toMatchObject({ total_cost_basis_dollars: 13.61, total_current_value_dollars: 16.42 });
  });

  it('are null when no position in them has a value (R-12)', async () => {
    const fund = await openFund(plain.owner);
    const [first, second] = [await fund.security('A'), await fund.security('B')];
    const block = await fund.run('create-portfolio-block', {
      portfolio: { name: 'Unmarked' },
      positions: [
        { security_id: first, quantity: 1, cost_basis: 1 },
        { security_id: second, quantity: 1, currency: 'EUR', current_value: 5 },
      ],
    });
    expect(block.total_current_value_dollars).toBeNull();
  });
});
