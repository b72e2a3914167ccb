import {
  type BalanceType,
  type BlockElement,
  balanceTypeOfTrait,
  type PeriodType,
  periodTypeOfTrait,
} from '../vocabulary/index.ts';

/**
 * The side that an element is stored with: what the request says, for an account else that of its trait (taxonomy
 * T-8), and for other concepts none, which leaves the weights of their arcs free (taxonomy 1.3).
 */
export function storedBalance(element: BlockElement, isChart: boolean): BalanceType | null {
  if (element.balanceType === 'debit' || element.balanceType === 'credit') return element.balanceType;
  return isChart ? balanceTypeOfTrait(element.trait ?? '') : null;
}

/** The period type that an element is stored with; balances of a chart are instants whatever was sent (T-7). */
export function storedPeriod(element: BlockElement, isChart: boolean): PeriodType {
  const ofTrait = periodTypeOfTrait(element.trait ?? '');
  if (isChart && ofTrait === 'instant') return 'instant';
  if (element.periodType === 'instant' || element.periodType === 'duration') return element.periodType;
  return ofTrait;
}

/** How deep each element lies below the outermost parent; a shipped parent is a root (taxonomy 1.3). */
export function depthsOf(elements: readonly BlockElement[]): ReadonlyMap<string, number> {
  const parents = new Map(elements.map(({ qname, parentQname }) => [qname, parentQname]));
  const depths = new Map<string, number>();
  for (const { qname } of elements) {
    // Upwards to the first element whose depth is known, then down again: each element is visited once.
    const path: string[] = [];
    let at: string | null | undefined = qname;
    // The checks refused circles; the bound is for data that did not come through them.
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
