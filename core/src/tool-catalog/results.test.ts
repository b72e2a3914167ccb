import { describe, expect, it } from 'vitest';
import { resultOfValue } from './results.ts';

const shown = (value: unknown) => JSON.parse(resultOfValue(value, { isStructured: false }).text);

describe('resultOfValue', () => {
  it('masks all texts and numbers below a sensitive name to the last four characters (ai-surface PX-10)', () => {
    expect(
      shown({
        name: 'Harbour',
        iban: ['DE89370400440532013000', null],
        accountNo: { value: 12345678, bank: { id: 'DE12345', isOpen: true } },
        rows: [{ 'e.tax_id': '12-3456789', e: { 'account number': 9007199254740993n, vat_id: 'DE1234567' } }],
      }),
    ).toEqual({
      name: 'Harbour',
      iban: ['…3000', null],
      accountNo: { value: '…5678', bank: { id: '…2345', isOpen: true } },
      rows: [{ 'e.tax_id': '…6789', e: { 'account number': '…0993', vat_id: '…4567' } }],
    });
  });

  it('writes big integers in digits', () => {
    expect(shown({ rows: [9007199254740993n] })).toEqual({ rows: ['9007199254740993'] });
  });
});
