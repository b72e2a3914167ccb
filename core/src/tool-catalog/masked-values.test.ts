import { describe, expect, it } from 'vitest';
import { masked, maskedPath } from './masked-values.ts';

describe('maskedPath', () => {
  it('finds a value of a sensitive field that was masked before, at any depth (ai-surface PX-10)', () => {
    const taxId = masked('12-3456789');
    expect(maskedPath({ name: 'Harbour', tax_id: taxId })).toEqual(['tax_id']);
    expect(maskedPath({ bank: [{ iban: ['DE89370400440532013000', masked('DE89370400440532013001')] }] })).toEqual([
      'bank',
      0,
      'iban',
      1,
    ]);
    expect(maskedPath({ account_number: { value: masked(12_345_678) } })).toEqual(['account_number', 'value']);
  });

  it('accepts unmasked and short values, other texts with an ellipsis, and masks in fields that are not sensitive', () => {
    expect(maskedPath({ tax_id: '12-3456789', vat_id: masked('123'), iban: null })).toBeUndefined();
    expect(maskedPath({ memo: '…6789', tax_id: 'to be named…', note: ['…'] })).toBeUndefined();
  });
});
