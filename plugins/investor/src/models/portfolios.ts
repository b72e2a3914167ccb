import { calendarDate, instant, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import type { PortfolioRow } from '../portfolios/index.ts';
import { maxCents, maxLongChars, maxShortChars } from '../values/index.ts';

const id = () => Type.String({ graphql: { type: 'ID' } });
const shownText = () => Type.Optional(nullable(Type.String()));
const shownDate = () => Type.Optional(nullable(calendarDate()));
const shownDollars = () => Type.Optional(nullable(Type.Number()));

/** A portfolio as lists show it. */
export const Portfolio = model('Portfolio', {
  id: Type.String(),
  name: Type.String(),
  description: shownText(),
  strategy: shownText(),
  inception_date: shownDate(),
  base_currency: Type.String(),
  created_at: instant(),
  updated_at: instant(),
});

const EntityLite = model(
  'EntityLite',
  { id: id(), name: Type.String(), source_graph_id: shownText() },
  { fields: { source_graph_id: 'The graph whose shared reports created the entity.' } },
);

const SecurityLite = model(
  'SecurityLite',
  {
    id: id(),
    name: Type.String(),
    security_type: Type.String(),
    is_active: Type.Boolean(),
    security_subtype: shownText(),
    issuer: Type.Optional(nullable(EntityLite)),
    source_graph_id: shownText(),
  },
  { fields: { source_graph_id: 'With no issuer, the graph whose first share will link one.' } },
);

const PositionBlock = model('PositionBlock', {
  id: id(),
  quantity: Type.Number(),
  quantity_type: Type.String(),
  cost_basis_dollars: Type.Number(),
  status: Type.String(),
  security: SecurityLite,
  current_value_dollars: shownDollars(),
  valuation_date: shownDate(),
  valuation_source: shownText(),
  acquisition_date: shownDate(),
  notes: shownText(),
});

const blockFields = {
  id: id(),
  name: Type.String(),
  base_currency: Type.String(),
  positions: Type.Array(PositionBlock),
  total_cost_basis_dollars: Type.Number(),
  active_position_count: Type.Integer(),
  created_at: instant(),
  updated_at: instant(),
  description: shownText(),
  strategy: shownText(),
  inception_date: shownDate(),
  owner: Type.Optional(nullable(EntityLite)),
  total_current_value_dollars: shownDollars(),
};

const blockMeanings = {
  positions: 'The active positions, oldest first.',
  total_cost_basis_dollars:
    'The sum of the positions in the base currency and of those with an exchange rate, in units of the base currency.',
  total_current_value_dollars: 'The same of the positions that have a value; null if none of them has one.',
};

/** A portfolio with its positions, as operations return it. */
export const PortfolioBlockEnvelope = model('PortfolioBlockEnvelope', blockFields, { fields: blockMeanings });

/** A portfolio with its positions, as GraphQL shows it. */
export const PortfolioBlock = model('PortfolioBlock', blockFields, { fields: blockMeanings });

/** A portfolio without its positions. */
export function portfolioView({ entity_id: _owner, created_at, updated_at, ...fields }: PortfolioRow) {
  return { ...fields, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() };
}

/** Patterns and limits of texts in requests. */
const currencyPattern = '^[A-Za-z]{3}$';
const quantityTypePattern = '^[a-z][a-z0-9_]{0,39}$';

export const currency = () => Type.String({ pattern: currencyPattern });
export const quantityType = () => Type.String({ pattern: quantityTypePattern });
export const quantity = () => Type.Number({ minimum: 0 });
export const cents = () => Type.Integer({ minimum: 0, maximum: maxCents });
export const shortText = () => Type.Optional(nullable(Type.String({ maxLength: maxShortChars })));
export const longText = () => Type.Optional(nullable(Type.String({ maxLength: maxLongChars })));
export const optionalDate = () => Type.Optional(nullable(calendarDate()));

/** Positions of one call (P-2). */
export const maxPositionsPerCall = 1_000;

export const PortfolioBlockPositionAdd = model(
  'PortfolioBlockPositionAdd',
  {
    security_id: Type.String(),
    quantity: quantity(),
    quantity_type: Type.Optional(Type.String({ pattern: quantityTypePattern, default: 'shares' })),
    cost_basis: Type.Optional(Type.Integer({ minimum: 0, maximum: maxCents, default: 0 })),
    currency: Type.Optional(Type.String({ pattern: currencyPattern, default: 'USD' })),
    current_value: Type.Optional(nullable(cents())),
    valuation_date: optionalDate(),
    valuation_source: shortText(),
    acquisition_date: optionalDate(),
    notes: longText(),
  },
  {
    fields: {
      quantity: 'From 0 to below 10^20, with at most 18 decimals.',
      quantity_type:
        'What the quantity counts: `shares`, `units`, `principal` (in major units) or `percentage`; others are accepted.',
      cost_basis: 'In hundredths of the major unit, in every currency.',
      currency: 'The currency of both amounts; not that of the portfolio by default.',
      current_value: 'In hundredths of the major unit; null while there is no mark.',
      valuation_date: 'At most one day in the future.',
      acquisition_date: 'At most one day in the future.',
    },
  },
);
