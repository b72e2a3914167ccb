import fc from 'fast-check';
import type { BookAccount, BookEntry, BookLine, Books } from './flow-books.ts';
import { mappableConcepts } from './shipped-statements.ts';

/** The months of the books, from 0. */
export const months = 3;

/** Lines of the cash flow that entries name; the first is an operating one. */
const tags = [
  'IncreaseDecreaseInAccountsReceivable',
  'PaymentsToAcquirePropertyPlantAndEquipment',
  'PaymentsOfDebtIssuanceCosts',
  'ProceedsFromStockOptionsExercised',
  'PaymentsForProceedsFromOtherInvestingActivities',
];

/** Concepts that entries use more often than others: cash, non-cash items and what they are booked against. */
const frequent = [
  'CashAndCashEquivalentsAtCarryingValue',
  'RestrictedCashCurrent',
  'AccountsReceivableNetCurrent',
  'AccountsPayableCurrent',
  'PropertyPlantAndEquipmentGross',
  'AccumulatedDepreciationDepletionAndAmortizationPropertyPlantAndEquipment',
  'LongTermDebtNoncurrent',
  'DepreciationDepletionAndAmortization',
  'GainLossOnDispositionOfAssets',
  'ProvisionForDoubtfulAccounts',
  'AllocatedShareBasedCompensationExpense',
  'PaymentsOfDividends',
  'ProfessionalFees',
];

interface DrawnLine {
  readonly account: number;
  readonly amount: bigint;
  readonly tag: string | undefined;
}

/** Accounts of every concept that the style shows, and one without a concept. */
export function accountsOf(layout: Books['layout']): readonly BookAccount[] {
  const concepts = [
    ...new Set([...frequent, ...mappableConcepts(layout), 'PaymentsOfDividends', 'DividendsPayableCurrent']),
  ];
  return [...concepts.map((concept) => ({ id: concept, concept })), { id: 'unmapped' }];
}

/** Entries of two to six lines; the last line makes each of them balance. */
export function entriesOf(accounts: readonly BookAccount[]) {
  const line = fc.record<DrawnLine>({
    account: fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: 0, max: frequent.length - 1 }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: accounts.length - 1 }) },
    ),
    amount: fc.bigInt({ min: -(10n ** 6n), max: 10n ** 6n }),
    tag: fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom(...tags) }),
  });
  const entry = fc
    .record({ month: fc.integer({ min: 0, max: months - 1 }), lines: fc.array(line, { minLength: 2, maxLength: 6 }) })
    .map(({ month, lines }): BookEntry => {
      const rest = lines.slice(1).reduce((total, { amount }) => total - amount, 0n);
      return { month, lines: lines.map((each, index) => bookLine(accounts, each, index === 0 ? rest : each.amount)) };
    });
  return fc.array(entry, { minLength: 1, maxLength: 8 });
}

function bookLine(accounts: readonly BookAccount[], { account, tag }: DrawnLine, amount: bigint): BookLine {
  return { account: accounts[account]?.id ?? 'unmapped', amount, tag };
}

/** Arbitrary entries also use an account without a concept. */
export function failuresExceptUnmapped(failures: readonly string[]): readonly string[] {
  return failures.filter((text) => !text.includes('unmapped account(s)'));
}
