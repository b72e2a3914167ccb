/** @module-tag sessions */
import blocks from '@pacioli/blocks';
import ledger from '@pacioli/ledger';
import taxonomy from '@pacioli/taxonomy';
import { type Answer, fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import reporting from '../src/index.ts';

const clock = fixedClock('2026-05-10T12:00:00Z');
let service: TestService;
let user: TestClient;
beforeAll(async () => {
  service = await startTestService({
    plugins: [reporting, taxonomy, blocks, ledger],
    aliases: { ledger: ['roboledger'] },
    clock,
    settings: { orgs: { maxGraphs: -1 } },
  });
  user = await service.newUser('Ann');
});
afterAll(async () => {
  await service.close();
});

type Leg = readonly [code: string, debit: number, credit: number];

interface Books {
  readonly post: (date: string, legs: readonly Leg[]) => Promise<Answer>;
  readonly statement: (body: object) => Promise<Answer>;
  readonly codes: readonly string[];
}

async function books(entityType: string): Promise<Books> {
  const graph = await user.createGraph('Statements', ['roboledger']);
  const base = `/extensions/roboledger/${graph}/operations`;
  await user.post(`${base}/initialize-chart-of-accounts`, { template: 'services', entity_type: entityType });
  const answer = await user.graphql(graph, '{ accounts(limit: 200) { accounts { id code } } }');
  const accounts: readonly { id: string; code: string }[] = answer.body.data.accounts.accounts;
  const ids = new Map(accounts.map((account) => [account.code, account.id]));
  return {
    codes: accounts.map((account) => account.code),
    statement: (body) => user.post(`${base}/live-financial-statement`, body),
    post: (date, legs) =>
      user.post(`${base}/create-event-block`, {
        event_type: 'journal_entry_recorded',
        event_category: 'other',
        occurred_at: `${date}T09:00:00Z`,
        source: 'manual',
        apply_handlers: true,
        metadata: {
          posting_date: date,
          memo: 'test',
          status: 'posted',
          line_items: legs.map(([code, debit, credit]) => ({
            element_id: ids.get(code),
            debit_amount: debit,
            credit_amount: credit,
          })),
        },
      }),
  };
}

interface Fact {
  readonly qname: string;
  readonly values: readonly (number | null)[];
  readonly is_subtotal: boolean;
}

function valuesOf(answer: Answer): Record<string, readonly (number | null)[]> {
  const facts: readonly Fact[] = answer.body.result.facts;
  return Object.fromEntries(facts.map((fact) => [fact.qname.replace('rs-gaap:', ''), fact.values]));
}

describe('live-financial-statement for two months of a corporation', () => {
  let book: Books;
  beforeAll(async () => {
    book = await books('corporation');
    const month: readonly (readonly [string, readonly Leg[]])[] = [
      [
        '2026-02-28',
        [
          ['1000', 2_400_000, 0],
          ['1100', 1_800_000, 0],
          ['1500', 6_000_000, 0],
          ['1590', 0, 1_800_000],
          ['2000', 0, 950_000],
          ['2700', 0, 3_000_000],
          ['3000', 0, 4_000_000],
          ['3200', 0, 450_000],
        ],
      ],
      [
        '2026-03-15',
        [
          ['1100', 4_200_000, 0],
          ['4000', 0, 4_200_000],
        ],
      ],
      [
        '2026-03-20',
        [
          ['5000', 2_520_000, 0],
          ['1000', 0, 2_520_000],
        ],
      ],
      [
        '2026-03-25',
        [
          ['6000', 820_000, 0],
          ['6100', 200_000, 0],
          ['1000', 0, 1_020_000],
        ],
      ],
      [
        '2026-03-31',
        [
          ['6900', 100_000, 0],
          ['1590', 0, 100_000],
        ],
      ],
      [
        '2026-03-31',
        [
          ['7100', 25_000, 0],
          ['1000', 0, 25_000],
        ],
      ],
      [
        '2026-04-15',
        [
          ['1000', 4_500_000, 0],
          ['4000', 0, 4_500_000],
        ],
      ],
      [
        '2026-04-20',
        [
          ['5000', 2_700_000, 0],
          ['1000', 0, 2_700_000],
        ],
      ],
      [
        '2026-04-30',
        [
          ['3300', 200_000, 0],
          ['1000', 0, 200_000],
        ],
      ],
      [
        '2026-04-30',
        [
          ['1000', 140_000, 0],
          ['1590', 300_000, 0],
          ['1500', 0, 400_000],
          ['7200', 0, 40_000],
        ],
      ],
    ];
    for (const [date, legs] of month) expect((await book.post(date, legs)).status).toBe(200);
  });

  it('shows income with the preceding month for comparison (reporting S-10, S-18, S-30, S-33)', async () => {
    const answer = await book.statement({
      statement_type: 'income_statement',
      period_start: '2026-04-01',
      period_end: '2026-04-30',
    });
    expect(answer.body).toMatchObject({ operation: 'live-financial-statement', status: 'completed' });
    expect(answer.body.result.periods).toEqual([
      { start: '2026-04-01', end: '2026-04-30', label: 'Current' },
      { start: '2026-03-01', end: '2026-03-31', label: 'Prior' },
    ]);
    const values = valuesOf(answer);
    expect(values).toMatchObject({
      RevenueFromContractWithCustomerExcludingAssessedTax: [45_000, 42_000],
      CostOfGoodsAndServicesSold: [27_000, 25_200],
      GrossProfit: [18_000, 16_800],
      DepreciationDepletionAndAmortization: [null, 1_000],
      GainLossOnDispositionOfAssets: [400, null],
      InterestExpense: [null, 250],
      NetIncomeLoss: [18_400, 5_350],
    });
    expect(Object.keys(values)).not.toContain('PaymentsOfDividends');
    expect(answer.body.result.validation).toMatchObject({ passed: true, status: 'passed', failures: [] });
  });

  it('shows assets, liabilities and equity including current earnings (reporting S-2, S-7, S-11, S-36)', async () => {
    const answer = await book.statement({ statement_type: 'balance_sheet', period_end: '2026-04-30' });
    const values = valuesOf(answer);
    expect(values).toMatchObject({
      CashAndCashEquivalentsAtCarryingValue: [5_750, -11_650],
      PropertyPlantAndEquipmentNet: [40_000, 41_000],
      Liabilities: [39_500, 39_500],
      CommonStockValue: [40_000, 40_000],
      RetainedEarningsAccumulatedDeficit: [4_500 + 5_350 + 18_400 - 2_000, 4_500 + 5_350],
    });
    expect(values['Assets']).toEqual(values['LiabilitiesAndStockholdersEquity']);
    expect(answer.body.result.validation).toMatchObject({
      passed: true,
      checks: ['accounting_equation', 'totals_foot'],
    });
  });

  it('puts items before their total and leaves headings out (reporting S-27)', async () => {
    const answer = await book.statement({ statement_type: 'balance_sheet', period_end: '2026-04-30' });
    const names: readonly string[] = answer.body.result.facts.map((fact: Fact) => fact.qname);
    expect(names.indexOf('rs-gaap:CashAndCashEquivalentsAtCarryingValue')).toBeLessThan(
      names.indexOf('rs-gaap:AssetsCurrent'),
    );
    expect(names.indexOf('rs-gaap:AssetsCurrent')).toBeLessThan(names.indexOf('rs-gaap:Assets'));
    expect(names.some((name) => name.endsWith('Abstract'))).toBe(false);
    const cut = await book.statement({ statement_type: 'balance_sheet', period_end: '2026-04-30', limit: 2 });
    expect(cut.body.result).toMatchObject({ truncated: true, fact_count: 2 });
  });

  it('rejects a request that it cannot show (reporting V-2)', async () => {
    const statusOf = async (body: object) => (await book.statement(body)).status;
    expect(await statusOf({ statement_type: 'poem' })).toBe(400);
    expect(
      await statusOf({ statement_type: 'balance_sheet', period_start: '2026-05-01', period_end: '2026-04-01' }),
    ).toBe(400);
    expect(
      await statusOf({ statement_type: 'balance_sheet', period_start: '0001-01-01', period_end: '2026-04-01' }),
    ).toBe(400);
    expect(
      await statusOf({ statement_type: 'balance_sheet', period_start: '1900-01-01', period_end: '2999-12-31' }),
    ).toBe(200);
    expect(await statusOf({})).toBe(422);
    const bare = await user.createGraph('Bare', ['roboledger']);
    const refused = await user.post(`/extensions/roboledger/${bare}/operations/live-financial-statement`, {
      statement_type: 'balance_sheet',
    });
    expect(refused.status).toBe(422);
    expect(refused.body.code).toBe('NO_MAPPING');
  });
});

describe('live-financial-statement for arbitrary books', () => {
  it.each(['corporation', 'llc', 'partnership'])(
    'of a %s balances and foots, whatever was posted (reporting S-36)',
    async (form) => {
      const book = await books(form);
      const pair = fc.tuple(
        fc.constantFrom(...book.codes),
        fc.constantFrom(...book.codes),
        fc.integer({ min: 1, max: 10 ** 9 }),
        fc.integer({ min: 1, max: 28 }),
      );
      const entries = fc.sample(pair, { numRuns: 40, seed: 4 });
      for (const [debit, credit, cents, day] of entries) {
        expect(
          (
            await book.post(`2026-04-${String(day).padStart(2, '0')}`, [
              [debit, cents, 0],
              [credit, 0, cents],
            ])
          ).status,
        ).toBe(200);
      }
      const sheet = await book.statement({ statement_type: 'balance_sheet', period_end: '2026-04-14' });
      expect(sheet.body.result.validation.failures).toEqual([]);
      expect(valuesOf(sheet)['Assets']?.[0]).toBe(valuesOf(sheet)['LiabilitiesAndStockholdersEquity']?.[0]);
      const income = await book.statement({
        statement_type: 'income_statement',
        period_start: '2026-04-01',
        period_end: '2026-04-14',
      });
      expect(income.body.result.validation.failures).toEqual([]);
    },
  );
});
