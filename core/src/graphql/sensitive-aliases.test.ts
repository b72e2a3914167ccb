import { describe, expect, it } from 'vitest';
import { renamedSensitiveField } from './sensitive-aliases.ts';

describe('renamedSensitiveField', () => {
  it.each([
    '{ agents { n: name, y: taxId } }',
    'query A { agents { ...F } } fragment F on Agent { y: taxId }',
    '{ agents { ... on Agent { taxId, y: taxId } } }',
  ])('finds a tax id under another name in %s (ai-surface PX-10)', (text) => {
    expect(renamedSensitiveField(text)).toBe('taxId');
  });

  it.each(['{ a: agents { taxId, n: name } }', '{ agents { vendorTaxId: taxId } }', '{ agents {'])(
    'finds none in %s (ai-surface PX-10)',
    (text) => {
      expect(renamedSensitiveField(text)).toBeUndefined();
    },
  );
});
