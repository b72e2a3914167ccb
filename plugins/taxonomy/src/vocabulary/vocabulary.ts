import type { BalanceType, PeriodType } from './framework-types.ts';

/** The graph whose rows every graph may read. */
export const libraryGraphId = 'library';

/** The author of library rows; the only test for their immutability (taxonomy T-3). */
export const librarySeeder = 'library-seeder';

/** The sources of accounts (taxonomy T-6). */
export const chartSources = ['quickbooks', 'xero', 'plaid', 'native', 'import'] as const;

export const elementTypes = ['concept', 'abstract', 'axis', 'member', 'hypercube'] as const;

const instantTraits = new Set([
  'asset',
  'contraAsset',
  'liability',
  'contraLiability',
  'equity',
  'contraEquity',
  'temporaryEquity',
]);

const creditTraits = new Set([
  'liability',
  'equity',
  'contraAsset',
  'revenue',
  'gain',
  'temporaryEquity',
  'investmentByOwners',
  'expenseReversal',
  'comprehensiveIncome',
]);

/** The period type of a trait: an instant for balances, a duration for movements (taxonomy T-7). */
export function periodTypeOfTrait(trait: string): PeriodType {
  return instantTraits.has(trait) ? 'instant' : 'duration';
}

/** The normal balance side of a trait (taxonomy T-8). */
export function balanceTypeOfTrait(trait: string): BalanceType {
  return creditTraits.has(trait) ? 'credit' : 'debit';
}

const compatibleTraits: readonly ReadonlySet<string>[] = [
  new Set(['asset', 'contraAsset']),
  new Set(['liability', 'contraLiability']),
  new Set(['equity', 'contraEquity', 'temporaryEquity', 'investmentByOwners', 'distributionToOwners']),
  new Set(['revenue', 'gain']),
  new Set(['expense', 'loss', 'expenseReversal']),
];

/** The traits of concepts that an account of the trait may be reported under (taxonomy M-13). */
export function traitsCompatibleWith(trait: string): ReadonlySet<string> {
  return compatibleTraits.find((group) => group.has(trait)) ?? new Set();
}

const currentWords = new Set([
  'cash',
  'receivable',
  'prepaid',
  'inventory',
  'payable',
  'accrued',
  'tax',
  'other_current',
]);
const noncurrentWords = new Set(['fixed_asset', 'intangible', 'investment', 'other_noncurrent', 'debt_noncurrent']);

/** The liquidity of an account by its sub-classification; null when that does not determine it (taxonomy T-13). */
export function liquidityOf(trait: string, subClassification: string | null): 'current' | 'noncurrent' | null {
  if (trait !== 'asset' && trait !== 'contraAsset' && trait !== 'liability' && trait !== 'contraLiability') return null;
  if (subClassification === 'debt_current') return 'current';
  if (subClassification !== null && currentWords.has(subClassification)) return 'current';
  if (subClassification !== null && noncurrentWords.has(subClassification)) return 'noncurrent';
  return null;
}
