import { describe, expect, it } from 'vitest';
import { type Books, flowStatement, shown } from './flow-books.ts';
import { shippedLayout } from './shipped-statements.ts';

const layout = shippedLayout('BSC-CORP-IS02-CF1');
const cash = 'CashAndCashEquivalentsAtCarryingValue';
const property = 'PropertyPlantAndEquipmentNet';
const netChange =
  'CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalentsPeriodIncreaseDecreaseIncludingExchangeRateEffect';

/** An entry by concept, in dollars; debits are positive, and a tag follows the concept after a space. */
type Entry = Readonly<Record<string, number>>;

/** The lines of the cash flow that are no totals, with the warnings. */
function flowOf(entries: readonly Entry[]) {
  const concepts = [...new Set(entries.flatMap((entry) => Object.keys(entry).map((key) => key.split(' ')[0] ?? '')))];
  const books: Books = {
    layout,
    accounts: concepts.map((concept) => (concept === 'unmapped' ? { id: concept } : { id: concept, concept })),
    entries: entries.map((entry) => ({
      month: 1,
      lines: Object.entries(entry).map(([key, dollars]) => {
        const [account = '', tag] = key.split(' ');
        return { account, amount: BigInt(dollars) * 100n, tag };
      }),
    })),
  };
  const statement = flowStatement('cash_flow_statement', books, [1, 1]);
  const totals = new Set(statement.rows.filter(({ isSubtotal }) => isSubtotal).map(({ line }) => line.qname));
  const lines = shown(statement).filter(([name]) => !totals.has(`rs-gaap:${name}`) && !name.startsWith('CashCash'));
  const all = Object.fromEntries(shown(statement));
  expect(statement.validation.failures.filter((text) => !text.includes('unmapped'))).toEqual([]);
  return {
    lines: Object.fromEntries(lines),
    change: all[netChange] ?? 0,
    warnings: statement.validation.warnings.filter((text) => !text.startsWith('zero_subtotals')),
    failures: statement.validation.failures,
  };
}

describe('the allocation of an entry to the cash flow', () => {
  it('takes a loss out of the family that was disposed of (reporting S-14, step 1)', () => {
    const { lines } = flowOf([{ [cash]: 700, GainLossOnDispositionOfAssets: 300, [property]: -1_000 }]);
    expect(lines).toEqual({
      ProfitLoss: -300,
      GainLossOnSaleOfPropertyPlantEquipment: 300,
      ProceedsFromSaleOfPropertyPlantAndEquipment: 700,
    });
  });

  it('takes a loss out of a family of the entry where another item was taken out of the first (reporting S-14, step 1)', () => {
    const { lines, change } = flowOf([
      {
        GainLossOnDispositionOfAssets: 1_000,
        DepreciationDepletionAndAmortization: -400,
        AccountsPayableCurrent: -600,
      },
    ]);
    expect([lines['IncreaseDecreaseInAccountsPayable'], change]).toEqual([-400, 0]);
  });

  it('takes a non-cash item out of each named family, then out of the largest other one (reporting S-14, step 1)', () => {
    const both = { DepreciationDepletionAndAmortization: 100, [property]: -60, CapitalizedComputerSoftwareNet: -40 };
    expect(flowOf([both]).lines).toEqual({ ProfitLoss: -100, DepreciationDepletionAndAmortization: 100 });
    const accrued = {
      DepreciationDepletionAndAmortization: 100,
      AccruedLiabilitiesCurrent: -80,
      OtherLiabilitiesCurrent: -20,
    };
    expect(flowOf([accrued]).lines).toEqual({
      ProfitLoss: -100,
      DepreciationDepletionAndAmortization: 100,
      IncreaseDecreaseInAccruedLiabilities: -20,
      IncreaseDecreaseInOtherOperatingLiabilities: 20,
    });
  });

  it('shows the sale of a machine on account as far as the receivable carries it (reporting S-14, step 3)', () => {
    expect(flowOf([{ OtherReceivablesNetCurrent: 900, [property]: -900 }]).lines).toEqual({
      IncreaseDecreaseInOtherReceivables: -900,
      ProceedsFromSaleOfPropertyPlantAndEquipment: 900,
    });
    const written = flowOf([
      { OtherReceivablesNetCurrent: 900, OtherNonoperatingIncomeExpense: 100, [property]: -1_000 },
    ]);
    expect(written.lines).toEqual({
      ProfitLoss: -100,
      OtherNoncashIncomeExpense: 100,
      IncreaseDecreaseInOtherReceivables: -900,
      ProceedsFromSaleOfPropertyPlantAndEquipment: 900,
    });
    expect(written.warnings).toEqual([
      expect.stringMatching(/^noncash: Proceeds from Sale of .* of 10000 moved no cash$/),
    ]);
  });

  it('adds interest that a lender adds to the loan to the non-cash items (reporting S-14, step 3)', () => {
    const { lines, change } = flowOf([{ InterestExpense: 50, LongTermDebtNoncurrent: -50 }]);
    expect([lines, change]).toEqual([{ ProfitLoss: -50, OtherNoncashIncomeExpense: 50 }, 0]);
  });

  it('moves what is missing on the line that cash names from other lines of the entry (reporting S-14, step 5)', () => {
    const { lines, warnings } = flowOf([
      {
        AccruedLiabilitiesCurrent: 200,
        LongTermDebtNoncurrent: 1_000,
        [`${cash} PaymentsOfDebtIssuanceCosts`]: -1_100,
        [`${cash}`]: -100,
      },
    ]);
    expect(lines).toEqual({
      IncreaseDecreaseInAccruedLiabilities: -100,
      PaymentsOfDebtIssuanceCosts: -1_100,
    });
    expect(warnings).toEqual([]);
  });

  it('puts accounts without a concept on the reconciling item and fails (reporting S-15, S-31)', () => {
    const { lines, warnings, failures } = flowOf([{ [cash]: 80, unmapped: -80 }]);
    expect(lines).toEqual({ IncreaseDecreaseInOtherOperatingCapitalNet: 80 });
    expect(warnings).toEqual([
      expect.stringMatching(/^operating_plug: .* is 8000, more than a quarter of the cash flow$/),
    ]);
    expect(failures).toEqual(['1 unmapped account(s) with balance -8000']);
  });

  it('puts a concept without a row on the line of its class and says so (reporting S-12b, step 5)', () => {
    const { lines, warnings } = flowOf([{ [cash]: -80, OtherComprehensiveIncomeLossNetOfTax: 80 }]);
    expect(lines).toEqual({ ProceedsFromPaymentsForOtherFinancingActivities: -80 });
    expect(warnings).toEqual([expect.stringContaining('rs-gaap:OtherComprehensiveIncomeLossNetOfTax has no line')]);
  });
});
