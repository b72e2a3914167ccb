import { model, nullable, type TypeOf } from '@pacioli/core';
import { Type } from 'typebox';
import type { HeldPosition, Totals } from '../positions/index.ts';
import { decimalOfCents } from '../values/index.ts';
import { type HeldGroup, type HoldingsOverview, omittedOf } from './held-groups.ts';

const totalFields = {
  position_count: Type.Integer(),
  total_cost_basis: Type.String(),
  total_current_value: nullable(Type.String()),
};

const HeldSecurity = model(
  'HeldSecurity',
  {
    position_id: Type.String(),
    security_id: Type.String(),
    security_name: Type.String(),
    security_type: Type.String(),
    quantity: Type.String(),
    quantity_type: Type.String(),
    currency: Type.String(),
    cost_basis: Type.String(),
    current_value: nullable(Type.String()),
  },
  { fields: { quantity: 'An exact decimal.', cost_basis: 'An exact decimal of major units of `currency`.' } },
);

const IssuerHoldings = model(
  'IssuerHoldings',
  { entity_id: Type.String(), entity_name: Type.String(), ...totalFields, securities: Type.Array(HeldSecurity) },
  { fields: { entity_id: 'The issuer; `unlinked` for all securities without one.' } },
);

const KindHoldings = model('KindHoldings', { security_type: Type.String(), title: Type.String(), ...totalFields });

const OmittedHoldings = model('OmittedHoldings', {
  currency: Type.String(),
  position_count: Type.Integer(),
  cost_basis: Type.String(),
  current_value: nullable(Type.String()),
});

export const PortfolioHoldingsResponse = model(
  'PortfolioHoldingsResponse',
  {
    portfolio_id: Type.String(),
    name: Type.String(),
    base_currency: Type.String(),
    ...totalFields,
    issuers: Type.Array(IssuerHoldings),
    kinds: Type.Array(KindHoldings),
    omitted: Type.Array(OmittedHoldings),
  },
  {
    fields: {
      total_cost_basis: 'Exact decimals of major units of `base_currency`, as all totals.',
      total_current_value: 'Over the positions that have a value; null if none has one.',
      omitted: 'Positions by currency that are in no total, because there is no exchange rate.',
    },
  },
);

/** The holdings for programs, with exact decimals as text. */
export function holdingsView(overview: HoldingsOverview): TypeOf<typeof PortfolioHoldingsResponse> {
  const { portfolio, issuers, kinds, totals, positionCount } = overview;
  return {
    portfolio_id: portfolio.id,
    name: portfolio.name,
    base_currency: portfolio.base_currency,
    ...totalsView(totals, positionCount),
    issuers: issuers.map((issuer) => ({
      entity_id: issuer.key,
      entity_name: issuer.title,
      ...groupView(issuer),
      securities: issuer.positions.map(securityView),
    })),
    kinds: kinds.map((kind) => ({ security_type: kind.key, title: kind.title, ...groupView(kind) })),
    omitted: omittedOf(overview).map(({ currency, count, costBasis, currentValue }) => ({
      currency,
      position_count: count,
      cost_basis: decimalOfCents(costBasis),
      current_value: currentValue === null ? null : decimalOfCents(currentValue),
    })),
  };
}

const groupView = ({ totals, positions }: HeldGroup) => totalsView(totals, positions.length);

function totalsView({ costBasis, currentValue }: Totals, count: number) {
  return {
    position_count: count,
    total_cost_basis: decimalOfCents(costBasis),
    total_current_value: currentValue === null ? null : decimalOfCents(currentValue),
  };
}

function securityView(position: HeldPosition): TypeOf<typeof HeldSecurity> {
  return {
    position_id: position.id,
    security_id: position.security_id,
    security_name: position.security_name,
    security_type: position.security_type,
    quantity: plainDecimal(position.quantity),
    quantity_type: position.quantity_type,
    currency: position.currency,
    cost_basis: decimalOfCents(BigInt(position.cost_basis)),
    current_value: position.current_value === null ? null : decimalOfCents(BigInt(position.current_value)),
  };
}

/** The stored decimal without zeros at its end. */
function plainDecimal(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
}
