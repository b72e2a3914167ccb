import { groupBy } from '@pacioli/taxonomy/expressions';
import type { PortfolioHoldings } from '../portfolios/index.ts';
import { type CurrencySums, type HeldPosition, type Totals, totalsOf } from '../positions/index.ts';
import type { Instrument } from '../terms/index.ts';

/** Positions that belong together, with their totals in the base currency of the portfolio. */
export interface HeldGroup {
  /** The id of the issuer, or the type of the securities; `unlinked` for securities without an issuer. */
  readonly key: string;
  readonly title: string;
  /** By name of the security, then id. */
  readonly positions: readonly HeldPosition[];
  readonly totals: Totals;
}

/** The active positions of a portfolio by issuer and by kind of security, with exact totals. */
export interface HoldingsOverview {
  readonly portfolio: PortfolioHoldings['portfolio'];
  readonly totals: Totals;
  readonly positionCount: number;
  /** Positions with a value, of any currency. */
  readonly valuedCount: number;
  /** By name. */
  readonly issuers: readonly HeldGroup[];
  /** By cost, the largest first. */
  readonly kinds: readonly HeldGroup[];
}

/** Groups the positions of a portfolio; what is not in a total for lack of an exchange rate is listed there. */
export function overviewOf(held: PortfolioHoldings, instruments: readonly Instrument[]): HoldingsOverview {
  const titles = new Map(instruments.map(({ key, title }) => [key, title]));
  const issuers = groups(held, (position) => position.issuer_id ?? 'unlinked').map((group) => ({
    ...group,
    title: held.entities.get(group.key)?.name ?? 'Unlinked Securities',
  }));
  const kinds = groups(held, (position) => position.security_type).map((group) => ({
    ...group,
    title: titles.get(group.key) ?? titleOf(group.key),
  }));
  return {
    portfolio: held.portfolio,
    totals: totals(held, held.positions),
    positionCount: held.positions.length,
    valuedCount: held.positions.filter(({ current_value: value }) => value !== null).length,
    issuers: issuers.sort((a, b) => inCodePointOrder(a.title, b.title) || inCodePointOrder(a.key, b.key)),
    kinds: kinds.sort((a, b) => descending(a.totals.costBasis, b.totals.costBasis) || inCodePointOrder(a.key, b.key)),
  };
}

/** Amounts that the totals leave out, by currency. */
export function omittedOf({ totals: { omitted } }: HoldingsOverview): readonly CurrencySums[] {
  return [...omitted].sort((a, b) => inCodePointOrder(a.currency, b.currency));
}

function groups(
  held: PortfolioHoldings,
  keyOf: (position: HeldPosition) => string,
): readonly Omit<HeldGroup, 'title'>[] {
  return [...groupBy(held.positions, keyOf)].map(([key, positions]) => ({
    key,
    positions: [...positions].sort(bySecurity),
    totals: totals(held, positions),
  }));
}

function totals({ portfolio, rates }: PortfolioHoldings, positions: readonly HeldPosition[]): Totals {
  return totalsOf(positions, { currency: portfolio.base_currency, rates });
}

function bySecurity(a: HeldPosition, b: HeldPosition): number {
  return inCodePointOrder(a.security_name, b.security_name) || inCodePointOrder(a.security_id, b.security_id);
}

/** UTF-8 sorts as code points do. */
const inCodePointOrder = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

const descending = (a: bigint, b: bigint): number => (a > b ? -1 : a < b ? 1 : 0);

/** The title of a security type without an instrument kind: `Royalty unit` for `royalty_unit`. */
function titleOf(type: string): string {
  const text = type.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
