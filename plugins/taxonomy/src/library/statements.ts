import { groupBy, reachableFrom } from '../values/index.ts';
import type { CalculationArc, CuratedGaap, ReportingStyle } from '../vocabulary/index.ts';
import { type CashFlowSources, cashFlowSources } from './cash-flow-sources.ts';
import type { LibraryElementRow, LibraryStructureRow } from './library.ts';
import { type StatementRow, type StatementStructure, statementStructure } from './statement-structure.ts';

export const defaultStyleCode = 'BSC-CORP-IS02-CF1';

/** A concept without a sum below it, to which mapped amounts are attributed. */
export interface StatementLeaf {
  readonly qname: string;
  /** Product of the weights on the way up: +1 adds to the leaf, -1 reduces it. */
  readonly weight: number;
  /** False for a detail that the style shows only within a coarser line (taxonomy M-9). */
  readonly isDirect: boolean;
}

/** The resolved networks of one reporting style. */
export interface StyleStatements {
  readonly style: ReportingStyle;
  readonly balanceSheet: StatementStructure;
  readonly incomeStatement: StatementStructure;
  readonly cashFlowStatement: StatementStructure;
  readonly equityStatement: StatementStructure;
  readonly comprehensiveIncome: StatementStructure;
  readonly cashFlowSources: CashFlowSources;
  /**
   * The line that shows an amount of the concept: on the balance sheet or income statement if possible, otherwise on
   * another statement; undefined when no statement of the style shows it.
   */
  leafOf(qname: string): StatementLeaf | undefined;
  /** True for a total of a statement of the style, to which nothing can be mapped (taxonomy M-8). */
  isRolledUp(qname: string): boolean;
  /** The sort position of the leaf, balance sheet first. */
  positionOf(qname: string): number | undefined;
}

/** The statements of the shipped reporting styles, and the concepts that they show. */
export interface Statements {
  readonly styles: readonly ReportingStyle[];
  /** The default style when no code is given; undefined for an unknown code. */
  ofStyle(code?: string): StyleStatements | undefined;
  /** The code of a style by the id of its structure, which entities store; undefined for any other id. */
  codeOfStyle(structureId: string): string | undefined;
  /** The structure of the default style for a legal form (taxonomy LB-22). */
  styleIdFor(legalForm: string): string | undefined;
  /** True when calculations lead from the concept up to the root of a statement (taxonomy M-17). */
  reachesRoot(qname: string): boolean;
}

/** The totals that every mapped concept must lead up to (taxonomy M-17). */
export const mappableRootNames = [
  'Assets',
  'LiabilitiesAndStockholdersEquity',
  'NetIncomeLoss',
  'ProfitLoss',
  'ComprehensiveIncomeNetOfTax',
  'CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalentsPeriodIncreaseDecreaseIncludingExchangeRateEffect',
].map((name) => `rs-gaap:${name}`);

/** Builds the statements of every style; pure, and done once. */
export function createStatements(
  gaap: CuratedGaap,
  elements: ReadonlyMap<string, LibraryElementRow>,
  structures: ReadonlyMap<string, LibraryStructureRow>,
): Statements {
  const built = new Map<string, StatementStructure>();
  const structureOf = (key: string): StatementStructure => {
    const known = built.get(key);
    if (known !== undefined) return known;
    const made = statementStructure(key, gaap, elements, structures);
    built.set(key, made);
    return made;
  };
  const sourcesOf = cashFlowSources(gaap, structureOf('CF-indirect'));
  const byCode = new Map(
    gaap.styles.map((style) => [
      style.code,
      { ...styleStatements(style, gaap, structureOf), cashFlowSources: sourcesOf(style) },
    ]),
  );
  const toRoots = reachableFrom(
    mappableRootNames,
    gaap.calculation.map(({ total, item }) => ({ from: total, to: item })),
  );
  return {
    styles: gaap.styles,
    ofStyle: (code = defaultStyleCode) => byCode.get(code),
    codeOfStyle: (structureId) => gaap.styles.find(({ code }) => structures.get(code)?.id === structureId)?.code,
    styleIdFor: (legalForm) => {
      const style = gaap.styles.find(({ defaultFor }) => defaultFor === legalForm);
      return structures.get(style?.code ?? defaultStyleCode)?.id;
    },
    reachesRoot: (qname) => toRoots.has(qname),
  };
}

function styleStatements(
  style: ReportingStyle,
  gaap: CuratedGaap,
  structureOf: (key: string) => StatementStructure,
): Omit<StyleStatements, 'cashFlowSources'> {
  const statements = {
    balanceSheet: structureOf(style.balanceSheet),
    incomeStatement: structureOf(style.incomeStatement),
    cashFlowStatement: structureOf(style.cashFlowStatement),
    equityStatement: structureOf(style.equityStatement),
    comprehensiveIncome: structureOf(style.comprehensiveIncome),
  };
  const primary = [...statements.balanceSheet.rows, ...statements.incomeStatement.rows];
  const rows = Object.values(statements).flatMap((statement) => statement.rows);
  const positions = new Map<string, number>();
  for (const [index, row] of rows.entries()) if (!positions.has(row.qname)) positions.set(row.qname, index);
  const rolledUp = new Set(rows.filter((row) => row.isTotal || row.calculation.length > 0).map((row) => row.qname));
  const leavesOf = (lines: readonly StatementRow[]) =>
    new Set(lines.filter((row) => !row.isAbstract && !rolledUp.has(row.qname)).map((row) => row.qname));
  const [shown, shownElsewhere] = [leavesOf(primary), leavesOf(rows)];
  const details = detailLeaves(style, gaap, shown, rolledUp);
  const direct = (qname: string): StatementLeaf => ({ qname, weight: 1, isDirect: true });
  return {
    style,
    ...statements,
    // A detail of an income statement line may also be on the cash flow: the income statement takes precedence.
    leafOf: (qname) =>
      shown.has(qname)
        ? direct(qname)
        : (details.get(qname) ?? (shownElsewhere.has(qname) ? direct(qname) : undefined)),
    isRolledUp: (qname) => rolledUp.has(qname),
    positionOf: (qname) => positions.get(qname),
  };
}

/**
 * The shown leaf that each detail concept flows into (taxonomy M-9): details of the style's own networks first, then
 * disclosures by name, and within each the shortest path up.
 */
function detailLeaves(
  style: ReportingStyle,
  gaap: CuratedGaap,
  shown: ReadonlySet<string>,
  rolledUp: ReadonlySet<string>,
): ReadonlyMap<string, StatementLeaf> {
  const own = new Set([`${style.balanceSheet.replace(/-(PART|LLC)$/, '')}-detail`, `${style.incomeStatement}-detail`]);
  if (style.incomeStatement === 'IS-singlestep') own.add('IS-multistep-detail');
  const disclosures = new Map(
    gaap.structures
      .filter(({ blockType }) => blockType === 'regulatory_disclosure')
      .map(({ key, name }) => [key, name]),
  );
  const ownArcs = gaap.calculation.filter(({ structure }) => own.has(structure));
  const disclosureArcs = gaap.calculation
    .filter(({ structure }) => disclosures.has(structure))
    .sort((a, b) => compare(disclosures.get(a.structure) ?? '', disclosures.get(b.structure) ?? ''));
  const leaves = new Map<string, StatementLeaf>();
  for (const arcs of [ownArcs, [...ownArcs, ...disclosureArcs]]) spreadDown(leaves, arcs, shown, rolledUp);
  return leaves;
}

/** Breadth first from the shown leaves down, so that every detail is assigned to its nearest leaf. */
function spreadDown(
  leaves: Map<string, StatementLeaf>,
  arcs: readonly CalculationArc[],
  shown: ReadonlySet<string>,
  rolledUp: ReadonlySet<string>,
): void {
  const below = groupBy(arcs, ({ total }) => total);
  const leafAt = new Map<string, StatementLeaf>(
    [...shown].map((qname) => [qname, { qname, weight: 1, isDirect: false }]),
  );
  for (const [qname, leaf] of leaves) leafAt.set(qname, leaf);
  let names = [...leafAt.keys()];
  while (names.length > 0) {
    const next: string[] = [];
    for (const name of names) {
      const leaf = leafAt.get(name);
      if (leaf === undefined) continue;
      for (const { item, weight } of below.get(name) ?? []) {
        if (shown.has(item) || rolledUp.has(item) || leafAt.has(item)) continue;
        const reached = { qname: leaf.qname, weight: leaf.weight * weight, isDirect: false };
        leafAt.set(item, reached);
        leaves.set(item, reached);
        next.push(item);
      }
    }
    names = next;
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
