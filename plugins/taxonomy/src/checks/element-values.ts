import {
  type BalanceType,
  type BlockElement,
  balanceTypeOfTrait,
  type PeriodType,
  periodTypeOfTrait,
} from '../vocabulary/index.ts';

/**
 * The balance side to store: that of the request, for an account otherwise that of its trait (taxonomy T-8), and for
 * other concepts none, which leaves the weights of their arcs free (taxonomy 1.3).
 */
export function storedBalance(element: BlockElement, isChart: boolean): BalanceType | null {
  if (element.balanceType === 'debit' || element.balanceType === 'credit') return element.balanceType;
  return isChart ? balanceTypeOfTrait(element.trait ?? '') : null;
}

/** The period type to store; balances of a chart are instants whatever was sent (T-7). */
export function storedPeriod(element: BlockElement, isChart: boolean): PeriodType {
  const ofTrait = periodTypeOfTrait(element.trait ?? '');
  if (isChart && ofTrait === 'instant') return 'instant';
  if (element.periodType === 'instant' || element.periodType === 'duration') return element.periodType;
  return ofTrait;
}

/** The depth of each element below its outermost parent; a shipped parent counts as a root (taxonomy 1.3). */
export function depthsOf(elements: readonly BlockElement[]): ReadonlyMap<string, number> {
  const parents = new Map(elements.map(({ qname, parentQname }) => [qname, parentQname]));
  const depths = new Map<string, number>();
  for (const { qname } of elements) {
    // Walks up to the first element with a known depth, then down again, so that each element is visited once.
    const path: string[] = [];
    let at: string | null | undefined = qname;
    // The checks reject cycles; the bound is for data that bypassed them.
    while (at != null && !depths.has(at) && path.length <= elements.length) {
      path.push(at);
      at = parents.get(at);
    }
    let depth = at == null ? -1 : (depths.get(at) ?? -1);
    for (const name of path.reverse()) {
      depth += 1;
      depths.set(name, depth);
    }
  }
  return depths;
}
