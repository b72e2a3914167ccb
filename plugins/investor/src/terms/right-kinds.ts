import { keys, oneOf } from './definitions.ts';
import type { InstrumentSpec } from './instrument.ts';

/** Keys of rights that are exercised for shares at a price. */
const exerciseKeys = {
  currency: keys.currency,
  strike_price_cents: keys.nonNegative,
  shares_underlying: keys.count,
  underlying_security_id: keys.text,
  expiration_date: keys.date,
  exercise_style: oneOf('american', 'european', 'bermudan'),
  vesting: keys.vesting,
  exercised_shares: keys.count,
};

const warrantKeys = {
  ...exerciseKeys,
  issue_date: keys.date,
  net_exercise: keys.flag,
  coverage_pct: keys.nonNegative,
  trigger: keys.text,
};

const optionKeys = {
  ...exerciseKeys,
  grant_date: keys.date,
  option_type: oneOf('iso', 'nso', 'call', 'put'),
  early_exercise: keys.flag,
  plan: keys.text,
  contract_multiplier: { type: 'integer', minimum: 1 },
  forfeited_shares: keys.count,
};

const stockUnitKeys = {
  currency: keys.currency,
  grant_date: keys.date,
  units_granted: keys.count,
  vesting: keys.vesting,
  settlement: oneOf('shares', 'cash'),
  performance_conditions: keys.texts,
  expiration_date: keys.date,
  vested_units: keys.count,
  forfeited_units: keys.count,
};

const tokenKeys = {
  currency: keys.currency,
  network: keys.text,
  contract_address: keys.text,
  token_count: keys.nonNegative,
  purchase_price_cents: keys.cents,
  lockup_end_date: keys.date,
  vesting: keys.vesting,
  underlying_security_id: keys.text,
};

/** Rights to shares, and tokens. */
export const rightKinds: readonly InstrumentSpec[] = [
  {
    type: 'warrant',
    title: 'Warrant',
    schema: { properties: warrantKeys },
    required: ['strike_price_cents', 'shares_underlying'],
    defaultQuantityType: 'units',
  },
  {
    type: 'option',
    title: 'Option grant or exchange option',
    schema: { properties: optionKeys },
    required: ['strike_price_cents', 'shares_underlying'],
    defaultQuantityType: 'units',
  },
  {
    type: 'restricted_stock_unit',
    title: 'Restricted stock unit',
    schema: { properties: stockUnitKeys },
    required: ['units_granted'],
    defaultQuantityType: 'units',
  },
  {
    type: 'token',
    title: 'Token or token warrant',
    schema: { properties: tokenKeys },
    required: [],
    defaultQuantityType: 'units',
  },
];
