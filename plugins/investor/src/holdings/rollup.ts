import { groupBy } from '@pacioli/taxonomy/expressions';
import type { PortfolioSums } from '../portfolios/index.ts';
import { type CurrencySums, type HeldColumns, type IssuerSums, totalsOfSums } from '../positions/index.ts';
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
    .map((group) => ({ group, key: sortKeyOf(group.totals) }))
    .sort((one, other) => Buffer.compare(one.key, other.key))
    .map(({ group }) => group);
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

/** The positions of a group. */
export function securitiesOf(held: HeldColumns) {
  // The lists are of the same length: the assertions below hold by the statement that reads them.
  return held.security_id.map((id, at) => {
    const value = held.current_value[at] as number | null;
    return {
      security_id: id,
      security_name: held.security_name[at] as string,
      security_type: held.security_type[at] as string,
      quantity: held.quantity[at] as number,
      quantity_type: held.quantity_type[at] as string,
      cost_basis_dollars: dollarsOf(held.cost_basis[at] as number),
      current_value_dollars: value === null ? null : dollarsOf(value),
    };
  });
}

/**
 * Orders by name, then id. UTF-8 sorts as code points do; the order of JavaScript strings differs beyond the first plane
 * . No name has the character between the two, which sorts before all others.
 */
function sortKeyOf({ entity_name: name, entity_id: id }: Group['totals']): Buffer {
  return Buffer.from(`${name}\0${id}`);
}
