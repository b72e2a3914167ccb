/** A JSON Schema 2020-12 as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const definitionsId = 'urn:investor:terms:defs';

const local = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });

/** The types that terms of several instrument kinds have in common (T-5). */
export const definitions: JsonSchema = {
  $id: definitionsId,
  $defs: {
    cents: {
      type: 'integer',
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'An amount of hundredths of the currency, which JSON numbers keep exactly.',
    },
    bps: { type: 'integer', minimum: 0, maximum: 100_000, description: 'Basis points: 800 is 8 %.' },
    pct: { type: 'number', minimum: 0, maximum: 100, description: 'A percentage: 20 is 20 %.' },
    date: { type: 'string', format: 'date', description: 'A calendar date, as YYYY-MM-DD.' },
    count: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    multiple: { type: 'number', minimum: 0, description: 'A factor: 1.5 is one and a half times.' },
    currency: { type: 'string', pattern: '^[A-Z]{3}$', description: 'ISO 4217; that of the position if absent.' },
    dayCount: { enum: ['30/360', '30E/360', 'ACT/360', 'ACT/365F', 'ACT/ACT'] },
    vesting: {
      description: 'The schedule by which a right is earned, or a sentence about it.',
      oneOf: [
        { type: 'string', maxLength: 200 },
        {
          type: 'object',
          properties: {
            start_date: local('date'),
            cliff_months: local('count'),
            total_months: { type: 'integer', minimum: 1 },
            interval: { enum: ['monthly', 'quarterly', 'annually', 'immediate'] },
            acceleration: { enum: ['none', 'single_trigger', 'double_trigger'] },
            acceleration_pct: local('pct'),
            vested_shares: local('count'),
          },
        },
      ],
    },
    liquidation: {
      description: 'The multiple of the price that holders receive first, alone or with its conditions.',
      oneOf: [
        { type: 'number', minimum: 0 },
        {
          type: 'object',
          properties: {
            multiple: local('multiple'),
            participation: { enum: ['non_participating', 'participating', 'capped_participating'] },
            cap_multiple: local('multiple'),
            seniority: { type: 'integer', minimum: 1 },
            pari_passu_group: { type: 'string' },
          },
        },
      ],
    },
    antiDilution: {
      enum: ['none', 'broad_based_weighted_average', 'narrow_based_weighted_average', 'full_ratchet'],
    },
  },
};

const shared = (name: string): JsonSchema => ({ $ref: `${definitionsId}#/$defs/${name}` });

/** A schema for one of fixed codes. */
export const oneOf = (...values: readonly string[]): JsonSchema => ({ enum: values });

/** The types of known keys, for the tables of kinds. */
export const keys = {
  cents: shared('cents'),
  bps: shared('bps'),
  pct: shared('pct'),
  date: shared('date'),
  count: shared('count'),
  multiple: shared('multiple'),
  currency: shared('currency'),
  dayCount: shared('dayCount'),
  vesting: shared('vesting'),
  liquidation: shared('liquidation'),
  antiDilution: shared('antiDilution'),
  text: { type: 'string' },
  texts: { type: 'array', items: { type: 'string' } },
  flag: { type: 'boolean' },
  number: { type: 'number' },
  nonNegative: { type: 'number', minimum: 0 },
  positive: { type: 'number', exclusiveMinimum: 0 },
  isin: { type: 'string', pattern: '^[A-Z]{2}[A-Z0-9]{9}[0-9]$' },
  cusip: { type: 'string', minLength: 9, maxLength: 9 },
  figi: { type: 'string', minLength: 12, maxLength: 12 },
} as const satisfies Readonly<Record<string, JsonSchema>>;
