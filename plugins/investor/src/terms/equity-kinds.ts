import { keys, oneOf } from './definitions.ts';
import type { InstrumentSpec } from './instrument.ts';

const commonKeys = {
  currency: keys.currency,
  par_value_cents: keys.nonNegative,
  original_issue_price_cents: keys.cents,
  voting_rights_per_share: keys.number,
  dividend_policy: keys.text,
  transfer_restrictions: keys.texts,
  right_of_first_refusal: keys.flag,
  vesting: keys.vesting,
  ticker: keys.text,
  isin: keys.isin,
  cusip: keys.cusip,
  figi: keys.figi,
};

const preferredKeys = {
  ...commonKeys,
  series: keys.text,
  liquidation_preference: keys.liquidation,
  conversion_ratio: keys.positive,
  conversion_price_cents: keys.cents,
  dividend_rate_bps: keys.bps,
  dividend_type: oneOf('cumulative', 'non_cumulative', 'none'),
  dividend_compounding: oneOf('none', 'annual', 'quarterly'),
  anti_dilution: keys.antiDilution,
  redemption_date: keys.date,
  redemption_price_cents: keys.cents,
  mandatory_conversion: {
    type: 'object',
    properties: { ipo_min_proceeds_cents: keys.cents, ipo_min_price_cents: keys.cents, vote_pct: keys.pct },
  },
  board_seats: keys.count,
  protective_provisions: keys.texts,
};

const memberKeys = {
  currency: keys.currency,
  unit_class: keys.text,
  capital_contribution_cents: keys.cents,
  ownership_pct: keys.pct,
  profits_interest: keys.flag,
  threshold_value_cents: keys.cents,
  preferred_return_bps: keys.bps,
  voting: keys.flag,
  vesting: keys.vesting,
  tax_distribution: keys.flag,
};

const partnerKeys = {
  currency: keys.currency,
  commitment_cents: keys.cents,
  called_cents: keys.cents,
  distributed_cents: keys.cents,
  recallable_cents: keys.cents,
  ownership_pct: keys.pct,
  management_fee_bps: keys.bps,
  carried_interest_bps: keys.bps,
  preferred_return_bps: keys.bps,
  catch_up_pct: keys.pct,
  vintage_year: { type: 'integer', minimum: 1950, maximum: 2100 },
  term_years: keys.nonNegative,
  extension_years: keys.nonNegative,
  investment_period_end_date: keys.date,
  final_close_date: keys.date,
  clawback: keys.flag,
};

/** Shares of companies and interests in them. */
export const equityKinds: readonly InstrumentSpec[] = [
  {
    type: 'common_stock',
    title: 'Common stock',
    schema: { properties: commonKeys },
    required: [],
    defaultQuantityType: 'shares',
  },
  {
    type: 'preferred_stock',
    title: 'Preferred stock',
    schema: { properties: preferredKeys },
    required: ['original_issue_price_cents'],
    defaultQuantityType: 'shares',
  },
  {
    type: 'llc_unit',
    title: 'Membership unit of a limited liability company',
    schema: { properties: memberKeys },
    required: [],
    defaultQuantityType: 'units',
  },
  {
    type: 'lp_interest',
    title: 'Limited partner interest in a fund',
    schema: { properties: partnerKeys },
    required: ['commitment_cents'],
    defaultQuantityType: 'percentage',
  },
];
