import type { PortfolioHoldings } from '../portfolios/index.ts';
import { type HeldPosition, type OmittedPositions, totalsOf } from '../positions/index.ts';
import { dollarsOf, groupedBy } from '../values/index.ts';

/** The group of positions whose security has no issuer. */
const unlinked = { id: 'unlinked', name: 'Unlinked Securities', sourceGraphId: null } as const;

type Group = ReturnType<typeof groupOf>;

/** Active positions of a portfolio by issuer (investor 6.3). */
export interface Rollup {
  readonly holdings: readonly Group['holding'][];
  readonly total_entities: number;
  readonly total_positions: number;
  /** Positions that are in no total, for lack of an exchange rate. */
  readonly omitted: readonly OmittedPositions[];
}

/** Groups the positions by issuer and adds them in the base currency of the portfolio. */
export function rollupOf(held: PortfolioHoldings): Rollup {
  const groups = [...groupedBy(held.positions, ({ issuer_id: issuerId }) => issuerId)]
    .map(([issuerId, positions]) => groupOf(held, issuerId, positions))
    .sort((one, other) => byName(one.holding, other.holding));
  return {
    holdings: groups.map(({ holding }) => holding),
    total_entities: groups.length,
    total_positions: held.positions.length,
    omitted: groups.flatMap(({ omitted }) => omitted),
  };
}

function groupOf(held: PortfolioHoldings, issuerId: string | null, positions: readonly HeldPosition[]) {
  const issuer =
    issuerId === null ? unlinked : (held.entities.get(issuerId) ?? { ...unlinked, id: issuerId, name: issuerId });
  const totals = totalsOf(positions, { currency: held.portfolio.base_currency, rates: held.rates });
  const holding = {
    entity_id: issuer.id,
    entity_name: issuer.name,
    source_graph_id: issuer.sourceGraphId,
    securities: positions.map(securityOf).sort(bySecurity),
    total_cost_basis_dollars: dollarsOf(totals.costBasis),
    total_current_value_dollars: totals.currentValue === null ? null : dollarsOf(totals.currentValue),
    position_count: positions.length,
  };
  return { holding, omitted: totals.omitted };
}

function securityOf(position: HeldPosition) {
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

function byName(
  one: { readonly entity_name: string; readonly entity_id: string },
  other: { readonly entity_name: string; readonly entity_id: string },
): number {
  return inCodePointOrder(one.entity_name, other.entity_name) || inCodePointOrder(one.entity_id, other.entity_id);
}

function bySecurity(
  one: { readonly security_name: string; readonly security_id: string },
  other: { readonly security_name: string; readonly security_id: string },
): number {
  return (
    inCodePointOrder(one.security_name, other.security_name) || inCodePointOrder(one.security_id, other.security_id)
  );
}
