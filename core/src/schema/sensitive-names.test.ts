import { describe, expect, it } from 'vitest';
import { isSensitiveName } from './sensitive-names.ts';

describe('isSensitiveName', () => {
  it.each([
    ...[
      'ein',
      'SSN',
      'tin',
      'vendor_ein',
      'iban',
      'IBAN',
      'bankIban',
      'tax_id',
      'taxId',
      'e.tax_id',
      'TAX-ID',
      'tax id',
    ],
    ...['taxpayer_id', 'taxpayerIdentificationNumber', 'tax_number', 'vat_id', 'vatNumber', 'supplier_vat_no'],
    ...['account_number', 'accountNo', 'account number', 'Account No.', 'bank_account_number', 'acct_num'],
    ...['routing_number', 'aba_routing_no', 'sortCode', 'social_security_number', 'ｔａｘ_id'],
  ])('finds %s (ai-surface PX-10)', (name) => {
    expect(isSensitiveName(name)).toBe(true);
  });

  it.each(['name', 'protein', 'account_node', 'account_id', 'tax_amount', 'tax_identity', 'number', 'routing', 'vat'])(
    'leaves out %s (ai-surface PX-10)',
    (name) => {
      expect(isSensitiveName(name)).toBe(false);
    },
  );
});
