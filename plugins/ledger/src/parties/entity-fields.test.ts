import { describe, expect, it } from 'vitest';
import { normalizedFields, problemOfEntity } from './entity-fields.ts';

describe('the fields of an entity', () => {
  it.each(['12-31', '0630', '06-30', '02-29', '01-01'])(
    'accepts the fiscal year end %s (ledger L-31)',
    (fiscalYearEnd) => {
      expect(problemOfEntity({ fiscal_year_end: fiscalYearEnd })).toBeUndefined();
    },
  );

  it.each(['13-01', '02-30', '00-10', '1-1', '12-00', '2026-12-31', ''])(
    'rejects the fiscal year end %j (ledger L-31)',
    (fiscalYearEnd) => {
      expect(problemOfEntity({ fiscal_year_end: fiscalYearEnd })).toContain('fiscal_year_end');
    },
  );

  it('checks the formats of the registers and normalizes what is stored (ledger L-31)', () => {
    expect(problemOfEntity({ lei: '5493001KJTIIGC8Y1R12', cik: '320193', name: 'A' })).toBeUndefined();
    expect(problemOfEntity({ lei: '5493001KJTIIGC8Y1R1' })).toContain('lei');
    expect(problemOfEntity({ cik: '12345678901' })).toContain('cik');
    expect(problemOfEntity({ cik: '32a' })).toContain('cik');
    expect(problemOfEntity({ name: ' ' })).toContain('name');
    expect(normalizedFields({ cik: '320193', fiscal_year_end: '1231', name: 'A' })).toEqual({
      cik: '0000320193',
      fiscal_year_end: '12-31',
    });
    expect(normalizedFields({ cik: null })).toEqual({});
  });
});
