import { readFileSync } from 'node:fs';
import { SchemaValidator } from '@pacioli/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contributions } from './contributions.ts';
import type { JsonSchema } from './definitions.ts';
import { type Instrument, registerInstrument } from './instrument.ts';
import { InstrumentTerms, type TermsMode } from './instrument-terms.ts';

const validator = new SchemaValidator({ checksSchemas: true });
const kinds = contributions.map((each) => each.create({}) as Instrument); // They are made by registerInstrument.
const instrumentTerms = new InstrumentTerms({ instruments: kinds, validator });

const issuesOf = (type: string, terms: JsonSchema, mode: TermsMode = 'known-keys') =>
  instrumentTerms.validateTerms({ type, terms, mode });

/** Rows of the table of investor 4: type, known keys, required keys. Words in backticks are keys. */
function tableOfSpec(): readonly { readonly type: string; readonly keys: string; readonly required: string }[] {
  const text = readFileSync(new URL('../../../../docs/spec/investor.md', import.meta.url), 'utf8');
  const [, section = ''] = text.split('| Type | Known keys (types by T-5 unless given) | `required` in strict |\n');
  const rows = section.split('\n\n')[0]?.split('\n').slice(1) ?? [];
  return rows.map((row) => {
    const [, type = '', keys = '', required = ''] = row.split(' | ').join('|').split('|');
    return { type: type.replaceAll(/[` ]/g, ''), keys, required };
  });
}

const keysIn = (cell: string): readonly string[] =>
  [...cell.replaceAll(/\{[^}]*\}/g, '').matchAll(/`([a-z_]+)`/g)].map((match) => match[1] ?? '');

describe('instrument kinds', () => {
  it('know the keys of the table and require its keys in strict mode (investor 4)', () => {
    const rows = tableOfSpec();
    expect(rows.map(({ type }) => type).sort()).toEqual(kinds.map(({ key }) => key).sort());
    const common = keysIn(rows.find(({ type }) => type === 'common_stock')?.keys ?? '');
    for (const { type, keys, required } of rows) {
      const instrument = kinds.find(({ key }) => key === type);
      const inherited = keys.includes('all of common') ? common : [];
      const expected = new Set([...inherited, ...keysIn(keys), 'currency']);
      expect(new Set(Object.keys(instrument?.schema.properties ?? {})), type).toEqual(expected);
      expect(instrument?.required, type).toEqual(keysIn(required));
    }
  });

  it('have schemas that are valid JSON Schema 2020-12 in both modes (investor T-3)', () => {
    for (const { key } of kinds) {
      for (const mode of ['known-keys', 'strict'] as const) {
        expect(() => issuesOf(key, {}, mode), key).not.toThrow();
      }
      expect(instrumentTerms.schemaOf(key)).toMatchObject({ $id: `urn:investor:terms:${key}`, type: 'object' });
    }
  });

  it('cannot require a key that they do not know, nor have a type that no security has (investor T-3)', () => {
    const spec = { title: 'Royalty', schema: { properties: {} }, required: [], defaultQuantityType: 'units' };
    expect(() => registerInstrument({ ...spec, type: 'royalty', required: ['rate_bps'] })).toThrow(/rate_bps/);
    for (const type of ['', ' royalty', 'r'.repeat(61)])
      expect(() => registerInstrument({ ...spec, type })).toThrow(RangeError);
  });
});

describe('validateTerms', () => {
  it.each([
    ['common_stock', { par_value_cents: 0.01, ticker: 'MSFT', isin: 'US5949181045', cusip: '594918104' }],
    ['preferred_stock', { liquidation_preference: 1, conversion_ratio: 1, anti_dilution: 'full_ratchet' }],
    ['preferred_stock', { liquidation_preference: { participation: 'capped_participating', cap_multiple: 3 } }],
    ['preferred_stock', { mandatory_conversion: { ipo_min_proceeds_cents: 5_000_000_000, vote_pct: 66.7 } }],
    ['warrant', { strike_price_cents: 0.5, shares_underlying: 0, coverage_pct: 150 }],
    ['option', { vesting: 'Four years with a cliff of one', contract_multiplier: 100, option_type: 'call' }],
    ['restricted_stock_unit', { units_granted: 100, vesting: { cliff_months: 12, total_months: 12 } }],
    ['convertible_note', { conversion_trigger: ['qualified_financing', 'maturity'], day_count: 'ACT/ACT' }],
    ['safe', { valuation_cap_cents: 1_000_000_000, discount_pct: 20 }],
    ['lp_interest', { commitment_cents: 100, called_cents: 110, recallable_cents: 10, vintage_year: 2024 }],
    ['bond', { issue_price_pct: 101.5, call_schedule: [{ date: '2030-01-15', price_pct: 103.5 }] }],
    ['loan', { issue_date: '2026-01-01', maturity_date: '2026-01-02', currency: 'EUR' }],
    ['token', { token_count: 0.25 }],
    ['revenue_share', { revenue_share_pct: 5, cap_multiple: 1.8 }],
    ['llc_unit', { ownership_pct: 2.5, an_unknown_key: [1, 2] }],
    ['an_unknown_type', { interest_rate_bps: 'five' }],
  ])(
    'accepts terms of %s with keys of the right type and keys that it does not know (investor T-1, T-2)',
    (type, terms) => {
      expect(issuesOf(type, terms)).toEqual([]);
    },
  );

  it.each([
    ['convertible_note', { interest_rate_bps: 'five' }, '/terms/interest_rate_bps', 'Must be of type integer'],
    ['convertible_note', { interest_rate_bps: 100_001 }, '/terms/interest_rate_bps', 'Must be <= 100000'],
    ['convertible_note', { principal_cents: 10.5 }, '/terms/principal_cents', 'Must be of type integer'],
    ['convertible_note', { principal_cents: -1 }, '/terms/principal_cents', 'Must be >= 0'],
    ['convertible_note', { conversion_trigger: ['ipo'] }, '/terms/conversion_trigger/0', /^Must be one of/],
    ['bond', { maturity_date: '2030-02-30' }, '/terms/maturity_date', 'Must be a date that exists, as YYYY-MM-DD'],
    ['bond', { call_schedule: [{ price_pct: 201 }] }, '/terms/call_schedule/0/price_pct', 'Must be <= 200'],
    ['bond', { isin: 'us5949181045' }, '/terms/isin', /pattern/],
    ['bond', { currency: 'usd' }, '/terms/currency', /pattern/],
    ['safe', { discount_pct: 100.5 }, '/terms/discount_pct', 'Must be <= 100'],
    ['option', { vesting: 5 }, '/terms/vesting', 'Must be of type string or object'],
    ['option', { vesting: { cliff_months: 'one' } }, '/terms/vesting/cliff_months', 'Must be of type integer'],
    ['option', { vesting: { interval: 'weekly' } }, '/terms/vesting/interval', /^Must be one of/],
    ['preferred_stock', { conversion_ratio: 0 }, '/terms/conversion_ratio', 'Must be > 0'],
    [
      'preferred_stock',
      { mandatory_conversion: { vote_pct: 101 } },
      '/terms/mandatory_conversion/vote_pct',
      'Must be <= 100',
    ],
    ['lp_interest', { vintage_year: 1949 }, '/terms/vintage_year', 'Must be >= 1950'],
  ])('names the place in terms of %s that is wrong: %j (investor T-4, T-5)', (type, terms, pointer, message) => {
    for (const mode of ['known-keys', 'strict'] as const) {
      const issues = issuesOf(type, terms, mode).filter((issue) => issue.message !== 'Field required');
      expect(issues).toEqual([{ pointer, message: expect.stringMatching(message) }]);
    }
    expect(issuesOf(type, terms, 'off')).toEqual([]);
  });

  it('rejects missing and unknown keys in strict mode only, also in objects inside (investor T-1)', () => {
    const terms = { strike_price_cents: 100, vesting: { cliff: 12 }, 'a/b': 1 };
    expect(issuesOf('option', terms)).toEqual([]);
    expect([...issuesOf('option', terms, 'strict')].sort((a, b) => (a.pointer < b.pointer ? -1 : 1))).toEqual([
      { pointer: '/terms/a~1b', message: 'Extra inputs are not permitted' },
      { pointer: '/terms/shares_underlying', message: 'Field required' },
      { pointer: '/terms/vesting/cliff', message: 'Extra inputs are not permitted' },
    ]);
    expect(issuesOf('an_unknown_type', terms, 'strict')).toEqual([]);
  });

  it.each([
    ['option', 'expiration_date', 'grant_date', { grant_date: '2026-01-02', expiration_date: '2026-01-02' }],
    ['warrant', 'expiration_date', 'issue_date', { issue_date: '2026-01-02', expiration_date: '2025-12-31' }],
    ['bond', 'maturity_date', 'issue_date', { issue_date: '2026-01-02', maturity_date: '2026-01-01' }],
    [
      'lp_interest',
      'called_cents',
      'commitment_cents',
      { commitment_cents: 100, called_cents: 111, recallable_cents: 10 },
    ],
    ['warrant', 'exercised_shares', 'shares_underlying', { shares_underlying: 10, exercised_shares: 11 }],
    ['option', 'vesting.cliff_months', 'vesting.total_months', { vesting: { cliff_months: 13, total_months: 12 } }],
    [
      'preferred_stock',
      'liquidation_preference.cap_multiple',
      'liquidation_preference.participation',
      { liquidation_preference: { cap_multiple: 2, participation: 'participating' } },
    ],
  ])('compares two keys of %s and names both: %s and %s (investor 4)', (type, first, second, terms) => {
    const pointer = `/terms/${first.replace('.', '/')}`;
    const message = expect.stringMatching(new RegExp(`^${first} .*${second}`));
    for (const mode of ['known-keys', 'strict'] as const)
      expect(issuesOf(type, terms, mode)).toContainEqual({ pointer, message });
    expect(issuesOf('an_unknown_type', terms)).toEqual([]);
    for (const key of Object.keys(terms)) {
      const alone = Object.entries(terms).filter(([name]) => name === key);
      if (alone.length < Object.keys(terms).length) expect(issuesOf(type, Object.fromEntries(alone))).toEqual([]);
    }
  });

  it('finds exactly the known keys with a wrong value among any other keys, and changes nothing (investor T-1)', () => {
    const wrongValue = fc.constantFrom<unknown>(null, [], { a: 1 }, -1);
    const anyCase = fc.constantFrom(...kinds).chain((kind) =>
      fc.record({
        kind: fc.constant(kind),
        // These types accept none of the wrong values.
        wrong: fc.dictionary(fc.constantFrom(...keysOfScalars(kind)), wrongValue),
        unknown: fc.dictionary(
          fc.string().filter((key) => kind.schema.properties[key] === undefined),
          fc.jsonValue(),
        ),
      }),
    );
    fc.assert(
      fc.property(anyCase, ({ kind, wrong, unknown }) => {
        const terms = { ...unknown, ...wrong };
        const before = structuredClone(terms);
        const issues = issuesOf(kind.key, terms);
        expect(new Set(issues.map(({ pointer }) => pointer))).toEqual(
          new Set(Object.keys(wrong).map((key) => `/terms/${key}`)),
        );
        expect(terms).toEqual(before);
      }),
    );
  });
});

/** Keys whose type is one scalar and not any number. */
function keysOfScalars({ schema }: Instrument): readonly string[] {
  return Object.entries(schema.properties)
    .filter(([key]) => /_(cents|bps|pct|date)$|^(shares_underlying|currency|ticker|vintage_year)$/.test(key))
    .map(([key]) => key);
}
