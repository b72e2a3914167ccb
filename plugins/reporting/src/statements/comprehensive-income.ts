/** The statement of comprehensive income: net income and the changes in equity that are not income. */
import { otherComprehensiveIncome } from './flow-layout.ts';
import type { FlowColumn, Statement } from './statement.ts';
import { type ColumnValues, type Layout, resolve, shownRows } from './statement-lines.ts';
import { withoutChecks } from './validation.ts';

const netIncome = 'rs-gaap:ProfitLoss';
const netIncomeOfOthers = 'rs-gaap:NetIncomeLossAttributableToNoncontrollingInterest';
const comprehensiveIncomeOfOthers = 'rs-gaap:ComprehensiveIncomeNetOfTaxAttributableToNoncontrollingInterest';

/**
 * Lays out comprehensive income. Net income is that of the income statement, and other comprehensive income that of the
 * equity statement, whichever accounts it was posted to (reporting F-7).
 */
export function makeComprehensiveIncome(
  layout: Layout,
  columns: readonly FlowColumn[],
  incomeStatement: Pick<Statement, 'columns'>,
  amountText: (minor: bigint) => string,
): Statement {
  const lines = layout.comprehensiveIncome;
  const owned = columns.map((column, index) => ownAmounts(layout, column, incomeStatement.columns[index] ?? new Map()));
  const values = owned.map((own) => resolve(lines, own));
  const rows = shownRows(lines, values);
  const checked = columns.map((column, index) => ({
    label: column.label,
    values: values[index] ?? new Map(),
    // Other comprehensive income posted to equity directly is no fault in the mapping.
    own: new Map(),
    netIncome: 0n,
    missing: [],
    omitted: undefined,
  }));
  const validation = withoutChecks({ lines, rows, columns: checked, amountText });
  return { rows, columns: values, own: owned, validation };
}

function ownAmounts(layout: Layout, column: FlowColumn, income: ColumnValues): ColumnValues {
  const total = layout.comprehensiveIncome.find(({ qname }) => qname === otherComprehensiveIncome);
  const own = new Map<string, bigint>();
  const parts = new Set(total?.calculation.map(({ qname }) => qname));
  for (const { concept, movement } of column.mapped) {
    if (movement === null || !parts.has(concept.qname)) continue;
    own.set(concept.qname, (own.get(concept.qname) ?? 0n) + (concept.balance === 'credit' ? -movement : movement));
  }
  const detailed = (total?.calculation ?? []).reduce(
    (sum, { qname, weight }) => sum + (own.get(qname) ?? 0n) * BigInt(Math.sign(weight)),
    0n,
  );
  const undetailed = (column.equityChanges.get(otherComprehensiveIncome) ?? 0n) - detailed;
  if (undetailed !== 0n) own.set(otherComprehensiveIncome, undetailed);
  const [ofAll, ofOthers] = [income.get(netIncome), income.get(netIncomeOfOthers)];
  if (ofAll !== undefined) own.set(netIncome, ofAll);
  if (ofOthers !== undefined) own.set(comprehensiveIncomeOfOthers, ofOthers);
  return own;
}
