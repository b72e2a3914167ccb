import type { MappedAccount, StatementRow, StyleStatements } from '@pacioli/taxonomy';
import { flowRules, type Layout, type MappedConcept } from '../statements/index.ts';
import { LineTree } from './line-tree.ts';

/** The lines of a style that a forecast can state and project. */
export class ForecastLines {
  readonly income: LineTree;
  readonly balances: LineTree;
  /** The concepts of all lines with a side, and of the distributions. */
  readonly concepts: readonly MappedConcept[];
  /** The line that balances the balance sheet. */
  readonly cash: string;
  readonly #layout: Layout;
  readonly #distributions: ReadonlySet<string>;

  constructor(style: StyleStatements, layout: Layout) {
    this.#layout = layout;
    this.income = new LineTree(layout.incomeStatement);
    this.balances = new LineTree(layout.balanceSheet);
    const own = conceptsOf([...style.incomeStatement.rows, ...style.balanceSheet.rows]);
    // Distributions are found by section and sign, as in actual books (S-8).
    const { leaves } = flowRules(layout, own).network;
    const paid = [...leaves.values()].filter(({ section, sign }) => section === 'financing' && sign === -1n);
    this.#distributions = new Set(paid.map(({ qname }) => qname));
    const flows = style.cashFlowSources.network.rows.filter(({ qname }) => this.#distributions.has(qname));
    this.concepts = [...own, ...conceptsOf(flows)];
    this.cash = cashLine(layout);
  }

  isTotal(qname: string): boolean {
    return this.income.isTotal(qname) || this.balances.isTotal(qname);
  }

  isIncomeLine(qname: string): boolean {
    return this.income.isLeaf(qname);
  }

  /** True for a line without parts, or a distribution to owners. */
  isLine(qname: string): boolean {
    return this.income.isLeaf(qname) || this.balances.isLeaf(qname) || this.#distributions.has(qname);
  }

  /** The line that shows a detail; undefined for any other concept. */
  shownAs(qname: string): string | undefined {
    return this.#layout.leafOf(qname)?.qname;
  }
}

/** The line of cash that balances the balance sheet: the first in print order. */
export function cashLine(layout: Layout): string {
  const found = new LineTree(layout.balanceSheet).leaves.find(({ qname }) => layout.cashFlowSources.isCash(qname));
  if (found === undefined) throw new Error('The balance sheet of the style has no line for cash.');
  return found.qname;
}

function conceptsOf(rows: readonly StatementRow[]): readonly MappedConcept[] {
  return rows.flatMap(({ qname, balance, period, trait, isAbstract }) =>
    isAbstract || balance === null ? [] : [{ qname, balance, period, trait }],
  );
}

/** The movement of an account as an amount of the line that shows it, on the line's natural side. */
export function lineAmount(
  layout: Layout,
  { concept }: MappedAccount,
  amount: bigint,
): { readonly qname: string; readonly amount: bigint } | undefined {
  if (concept.qname === null) return undefined;
  const leaf = layout.leafOf(concept.qname) ?? { qname: concept.qname, weight: 1 };
  const natural = concept.balanceType === 'credit' ? -amount : amount;
  return { qname: leaf.qname, amount: natural * BigInt(Math.sign(leaf.weight)) };
}
