import { keys, oneOf } from './definitions.ts';
import type { InstrumentSpec } from './instrument.ts';

const frequency = oneOf('annual', 'semiannual', 'quarterly', 'monthly', 'at_maturity');
/** Prices of bonds are percentages of the face value and may be above it. */
const pricePct = { type: 'number', minimum: 0, maximum: 200 };
const priceSchedule = {
  type: 'array',
  items: { type: 'object', properties: { date: keys.date, price_pct: pricePct } },
};

/** Keys of debt that converts into shares. */
const convertingKeys = {
  currency: keys.currency,
  issue_date: keys.date,
  discount_pct: keys.pct,
  valuation_cap_cents: keys.cents,
  valuation_cap_type: oneOf('pre_money', 'post_money'),
  mfn: keys.flag,
  converted_to_security_id: keys.text,
};

/** Keys of debt that is repaid on a date. */
const maturingKeys = {
  currency: keys.currency,
  day_count: keys.dayCount,
  issue_date: keys.date,
  maturity_date: keys.date,
};

/** Keys of debt whose rate may follow another one. */
const rateKeys = {
  reference_rate: keys.text,
  spread_bps: keys.bps,
  seniority: oneOf('senior_secured', 'senior_unsecured', 'subordinated', 'junior'),
};

const noteKeys = {
  ...convertingKeys,
  ...maturingKeys,
  principal_cents: keys.cents,
  interest_rate_bps: keys.bps,
  interest_type: oneOf('simple', 'compound'),
  qualified_financing_threshold_cents: keys.cents,
  conversion_trigger: {
    type: 'array',
    items: oneOf('qualified_financing', 'maturity', 'change_of_control', 'optional'),
  },
  change_of_control_multiple: keys.multiple,
  secured: keys.flag,
  subordinated: keys.flag,
  prepayment_allowed: keys.flag,
  accrued_interest_cents: keys.cents,
};

const safeKeys = {
  ...convertingKeys,
  purchase_amount_cents: keys.cents,
  pro_rata_rights: keys.flag,
  variant: oneOf('cap', 'discount', 'cap_and_discount', 'mfn', 'uncapped'),
};

const bondKeys = {
  ...maturingKeys,
  ...rateKeys,
  face_value_cents: keys.cents,
  coupon_rate_bps: keys.bps,
  coupon_type: oneOf('fixed', 'floating', 'zero', 'step', 'inflation_linked'),
  coupon_frequency: frequency,
  issue_price_pct: pricePct,
  call_schedule: priceSchedule,
  put_schedule: priceSchedule,
  rating: keys.text,
  isin: keys.isin,
  cusip: keys.cusip,
  figi: keys.figi,
};

const loanKeys = {
  ...maturingKeys,
  ...rateKeys,
  principal_cents: keys.cents,
  interest_rate_bps: keys.bps,
  rate_type: oneOf('fixed', 'floating'),
  amortization: oneOf('bullet', 'straight_line', 'annuity', 'interest_only'),
  payment_frequency: frequency,
  collateral: keys.text,
  covenants: keys.texts,
};

const revenueShareKeys = {
  currency: keys.currency,
  advance_cents: keys.cents,
  revenue_share_pct: keys.pct,
  cap_multiple: keys.multiple,
  cap_cents: keys.cents,
  start_date: keys.date,
  end_date: keys.date,
  paid_cents: keys.cents,
};

/** Claims for money, also those that convert into shares. */
export const debtKinds: readonly InstrumentSpec[] = [
  {
    type: 'convertible_note',
    title: 'Convertible note',
    schema: { properties: noteKeys },
    required: ['principal_cents', 'issue_date'],
    defaultQuantityType: 'principal',
  },
  {
    type: 'safe',
    title: 'Simple agreement for future equity',
    schema: { properties: safeKeys },
    required: ['purchase_amount_cents', 'issue_date'],
    defaultQuantityType: 'units',
  },
  {
    type: 'bond',
    title: 'Bond or note of fixed income',
    schema: { properties: bondKeys },
    required: ['face_value_cents', 'maturity_date'],
    defaultQuantityType: 'principal',
  },
  {
    type: 'loan',
    title: 'Loan that does not convert',
    schema: { properties: loanKeys },
    required: ['principal_cents', 'maturity_date'],
    defaultQuantityType: 'principal',
  },
  {
    type: 'revenue_share',
    title: 'Financing repaid from revenue',
    schema: { properties: revenueShareKeys },
    required: ['advance_cents'],
    defaultQuantityType: 'units',
  },
];
