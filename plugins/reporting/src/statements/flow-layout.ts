import type { EquityChange } from '@pacioli/taxonomy';
import { type ConceptClass, type EquityRules, type FlowRules, flowNetwork } from '../cash-flow/index.ts';
import { incomeTest, type Layout, type Line, type MappedConcept } from './statement-lines.ts';

/** The equity that roll-forwards explain: all of it, the part of others included. */
export const totalEquity = 'rs-gaap:StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest';
const otherCapital = 'rs-gaap:OtherAdditionalCapital';
/** The changes in equity that are neither income nor transactions with owners. */
export const otherComprehensiveIncome = 'rs-gaap:OtherComprehensiveIncomeLossNetOfTax';

export function flowRules(layout: Layout, mapped: readonly MappedConcept[]): FlowRules {
  const concepts = new Map(mapped.map((concept) => [concept.qname, concept]));
  const isIncomeConcept = incomeTest(layout);
  const classOf = classTest(layout, concepts);
  const incomeLines = new Set(layout.incomeStatement.map((line) => line.qname));
  const network = flowNetwork(layout.cashFlowSources, {
    isIncomeLine: (qname) => incomeLines.has(qname),
    isIncome: (qname) => {
      const concept = concepts.get(qname);
      return concept !== undefined && isIncomeConcept(concept);
    },
    classOf,
  });
  return {
    network,
    equity: equityRules(layout, concepts),
    direct: layout.isDirectCashFlow
      ? {
          lineOf: (qname) => layout.leafOf(qname)?.qname ?? qname,
          isRevenue: (qname) => concepts.get(qname)?.trait === 'revenue',
        }
      : undefined,
  };
}

/** Lines below and including the total of equity. */
export function equityLines(layout: Layout): ReadonlySet<string> {
  const byName = new Map(layout.balanceSheet.map((line) => [line.qname, line]));
  const found = new Set([totalEquity]);
  // A set keeps its order and is extended while it is read.
  for (const qname of found) for (const part of byName.get(qname)?.calculation ?? []) found.add(part.qname);
  return found;
}

/** Other comprehensive income and the lines that it consists of. */
function comprehensiveLines(layout: Layout): ReadonlySet<string> {
  const byName = new Map(layout.comprehensiveIncome.map((line) => [line.qname, line]));
  const found = new Set([otherComprehensiveIncome]);
  // A set keeps its order and is extended while it is read.
  for (const qname of found) for (const part of byName.get(qname)?.calculation ?? []) found.add(part.qname);
  return found;
}

/** The line whose changes the equity statement shows. */
export function rolledForward(layout: Layout): Line {
  const line = layout.equityStatement.find(({ rollForward }) => rollForward.length > 0);
  if (line === undefined) throw new Error('The equity statement of the style rolls no balance forward.');
  return line;
}

function classTest(layout: Layout, concepts: ReadonlyMap<string, MappedConcept>): (qname: string) => ConceptClass {
  const lines = new Map(layout.balanceSheet.map((line) => [line.qname, line]));
  const equity = equityLines(layout);
  return (qname) => {
    const leaf = layout.leafOf(qname)?.qname ?? qname;
    const [line, concept] = [lines.get(leaf), concepts.get(qname)];
    const trait = concept?.trait ?? line?.trait ?? '';
    if (equity.has(leaf) || concept?.period === 'duration' || /equity/i.test(trait)) return 'equity';
    if (/liability/i.test(trait)) return 'liability';
    if (/asset/i.test(trait) || concept?.balance !== 'credit') {
      return line?.liquidity === 'noncurrent' ? 'noncurrent asset' : 'current asset';
    }
    return 'liability';
  };
}

function equityRules(layout: Layout, concepts: ReadonlyMap<string, MappedConcept>): EquityRules {
  const { equityChanges, equityChangeOf } = layout.cashFlowSources;
  const rowOf = (concept: string): EquityChange | undefined =>
    equityChanges.find(({ equityConcept }) => equityConcept === concept);
  const earningsHome = rowOf(layout.earningsHome);
  if (earningsHome === undefined) throw new Error(`No row names the changes of ${layout.earningsHome}.`);
  const equity = equityLines(layout);
  const comprehensive = comprehensiveLines(layout);
  const lines = new Set(rolledForward(layout).rollForward.map(({ qname }) => qname));
  return {
    lines,
    lineOf: (qname) => {
      const line = comprehensive.has(qname) ? otherComprehensiveIncome : qname;
      return lines.has(line) ? line : undefined;
    },
    earningsHome,
    isDuration: (qname) => concepts.get(qname)?.period === 'duration',
    changeOf: (qname) => {
      if (concepts.get(qname)?.period === 'duration') return undefined;
      if (!equity.has(layout.leafOf(qname)?.qname ?? qname)) return undefined;
      return equityChangeOf(qname) ?? rowOf(otherCapital) ?? earningsHome;
    },
  };
}
