import type { FundamentalConcepts, Identity } from '../vocabulary/index.ts';
import { facPrefix } from './framework.ts';

/** One term of an identity that is a plain sum; names are qnames. */
export interface IdentityArc {
  readonly identity: string;
  readonly total: string;
  readonly item: string;
  readonly weight: 1 | -1;
  readonly order: number;
}

const sumPattern = /^[A-Za-z]\w*(?: [+-] [A-Za-z]\w*)+$/;

/**
 * The published identities that are sums of two terms or more, as calculation arcs (taxonomy 3.4). The identity of two
 * totals and the ratios are rules only.
 */
export function identityArcs({ identities }: FundamentalConcepts): readonly IdentityArc[] {
  return identities.filter(isPublishedSum).flatMap(({ id, left, right }) => {
    const terms = right.match(/(?:^|[+-] )[A-Za-z]\w*/g) ?? [];
    return terms.map((term, order) => ({
      identity: id,
      total: `${facPrefix}:${left}`,
      item: `${facPrefix}:${term.replace(/^[+-] /, '')}`,
      weight: term.startsWith('-') ? (-1 as const) : (1 as const),
      order,
    }));
  });
}

/** Whether the identity is one of the balance sheet, income statement and cash flow, and a sum. */
export function isPublishedSum({ id, right }: Identity): boolean {
  return /^(BS|IS|CF)\d/.test(id) && sumPattern.test(right);
}
