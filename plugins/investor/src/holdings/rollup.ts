import { groupBy } from '@pacioli/taxonomy/expressions';
import type { PortfolioSums } from '../portfolios/index.ts';
import { type CurrencySums, type HeldSecurity, type IssuerSums, totalsOfSums } from '../positions/index.ts';
import { dollarsOf } from '../values/index.ts';

/** The group of positions whose security has no issuer. */
const unlinked = { id: 'unlinked', name: 'Unlinked Securities', sourceGraphId: null } as const;

type Group = ReturnType<typeof groupOf>;

/** Active positions of a portfolio by issuer (investor 6.3). */
export interface Rollup {
  readonly groups: readonly Group[];
  readonly positionCount: number;
  /** Positions that are in no total, for lack of an exchange rate. */
  readonly omitted: readonly CurrencySums[];
}

/** Converts the sums of each issuer to the base currency of the portfolio. */
export function rollupOf(held: PortfolioSums): Rollup {
  const groups = [...groupBy(held.sums, ({ issuerId }) => issuerId)]
    .map(([issuerId, sums]) => groupOf(held, issuerId, sums))
    .sort((one, other) => byName(one.totals, other.totals));
  return {
    groups,
    positionCount: countOf(held.sums),
    omitted: groups.flatMap(({ omitted }) => omitted),
  };
}

function groupOf(held: PortfolioSums, issuerId: string | null, sums: readonly IssuerSums[]) {
  const issuer =
    issuerId === null ? unlinked : (held.entities.get(issuerId) ?? { ...unlinked, id: issuerId, name: issuerId });
  const { costBasis, currentValue, omitted } = totalsOfSums(sums, { currency: held.baseCurrency, rates: held.rates });
  const totals = {
    entity_id: issuer.id,
    entity_name: issuer.name,
    source_graph_id: issuer.sourceGraphId,
    total_cost_basis_dollars: dollarsOf(costBasis),
    total_current_value_dollars: currentValue === null ? null : dollarsOf(currentValue),
    position_count: countOf(sums),
  };
  return { issuerId, totals, omitted };
}

const countOf = (sums: readonly CurrencySums[]): number => sums.reduce((count, each) => count + each.count, 0);

/** A position of a group. */
export function securityOf(position: HeldSecurity) {
  return {
    security_id: position.security_id,
    security_name: position.security_name,
    security_type: position.security_type,
    quantity: Number(position.quantity),
    quantity_type: position.quantity_type,
    cost_basis_dollars: dollarsOf(position.cost_basis),
    current_value_dollars: position.current_value === null ? null : dollarsOf(position.current_value),
  };
}

/** UTF-8 sorts as code points do; the order of JavaScript strings differs beyond the first plane. */
const inCodePointOrder = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

function byName(one: Group['totals'], other: Group['totals']): number {
  return inCodePointOrder(one.entity_name, other.entity_name) || inCodePointOrder(one.entity_id, other.entity_id);
}
