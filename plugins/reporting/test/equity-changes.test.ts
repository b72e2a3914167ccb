import { describe, expect, it } from 'vitest';
import { clearingAccounts } from '../src/statements/clearing.ts';
import { type Books, flowStatement, shown } from './flow-books.ts';
import { concept, shippedLayout } from './shipped-statements.ts';

const cash = 'CashAndCashEquivalentsAtCarryingValue';
const total = 'StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest';

/** An entry by concept, in dollars; debits are positive. */
type Entry = Readonly<Record<string, number>>;

/** The rows of the equity statement of one month, after the entries of the month before. */
function equityOf(code: string, before: readonly Entry[], entries: readonly Entry[]) {
  const inMonth = (month: number) => (entry: Entry) => ({
    month,
    lines: Object.entries(entry).map(([account, dollars]) => ({ account, amount: BigInt(dollars) * 100n })),
  });
  const books: Books = {
    layout: shippedLayout(code),
    accounts: [...new Set([...before, ...entries].flatMap((entry) => Object.keys(entry)))].map((name) => ({
      id: name,
      concept: name,
    })),
    entries: [...before.map(inMonth(1)), ...entries.map(inMonth(2))],
  };
  const statement = flowStatement('equity_statement', books, [2, 2]);
  expect(statement.validation.failures).toEqual([]);
  return { rows: shown(statement), stored: statement.stored[0] ?? new Map() };
}

describe('the changes in equity', () => {
  it('net the stock and the premium of one issue, and tell issues from repurchases (reporting S-16b)', () => {
    const { rows, stored } = equityOf(
      'BSC-CORP-IS02-CF1',
      [{ [cash]: 100, CommonStockValue: -100 }],
      [
        { [cash]: 900, CommonStockValue: -200, AdditionalPaidInCapital: -700 },
        { TreasuryStockValue: 300, [cash]: -300 },
      ],
    );
    expect(rows).toEqual([
      [total, 100],
      ['StockIssuedDuringPeriodValueNewIssues', 900],
      ['StockRepurchasedDuringPeriodValue', -300],
      [total, 700],
    ]);
    expect(stored.get('rs-gaap:StockRepurchasedDuringPeriodValue')).toBe(30_000n);
  });

  it('show paid-in capital for services of employees on its own line (reporting S-16b)', () => {
    const granted = { AllocatedShareBasedCompensationExpense: 300, AdditionalPaidInCapital: -300 };
    expect(equityOf('BSC-CORP-IS02-CF1', [], [granted]).rows).toEqual([
      [total, 0],
      ['ProfitLoss', -300],
      ['AdjustmentsToAdditionalPaidInCapitalSharebasedCompensationRequisiteServicePeriodRecognitionValue', 300],
      [total, 0],
    ]);
  });

  it('roll partners’ capital forward, or all equity where there is more of it (reporting S-16b, F-7)', () => {
    const paidIn = { [cash]: 500, PartnersCapital: -500 };
    const drawn = { PartnersCapital: 200, [cash]: -200 };
    expect(equityOf('BSC-PART-IS02-CF1', [paidIn], [drawn]).rows).toEqual([
      ['PartnersCapital', 500],
      ['PartnersCapitalAccountDistributions', -200],
      ['PartnersCapital', 300],
    ]);
    const revalued = { ShortTermInvestments: 40, AccumulatedOtherComprehensiveIncomeLossNetOfTax: -40 };
    expect(equityOf('BSC-PART-IS02-CF1', [paidIn], [drawn, revalued]).rows).toEqual([
      [total, 500],
      ['OtherComprehensiveIncomeLossNetOfTax', 40],
      ['PartnersCapitalAccountDistributions', -200],
      [total, 340],
    ]);
  });
});

describe('clearingAccounts', () => {
  it('finds flows, the earnings home, and income summary accounts by name (reporting S-2a)', () => {
    const arc = (accountId: string, name: string) => {
      const { qname, balance, period, trait } = concept(name);
      const reported = { id: `elem_${name}`, qname, name, trait, balanceType: balance, periodType: period };
      return { accountId, concept: reported };
    };
    const arcs = [
      arc('sales', 'RevenueFromContractWithCustomerExcludingAssessedTax'),
      arc('dividends', 'PaymentsOfDividends'),
      arc('earnings', 'RetainedEarningsAccumulatedDeficit'),
      arc('stock', 'CommonStockValue'),
    ];
    const accounts = [
      ...arcs.map(({ accountId }) => ({ id: accountId, name: accountId, periodType: 'instant' as const })),
      { id: 'other costs', name: 'Other costs', periodType: 'duration' as const },
      { id: 'summary', name: '3900 Income Summary', periodType: 'instant' as const },
    ];
    const mapping = { id: 'struct_map', name: 'Mapping', taxonomyId: 'tax_map', arcs };
    expect(clearingAccounts(shippedLayout('BSC-CORP-IS02-CF1'), mapping, accounts)).toEqual({
      flowIds: ['sales', 'dividends', 'other costs'],
      equityIds: ['earnings'],
      summaryIds: ['summary'],
    });
  });
});
