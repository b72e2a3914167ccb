import { describe, expect, it } from 'vitest';
import { externalProvider } from './external-provider.ts';
import { ProviderRegistry } from './provider-registry.ts';

describe('provider-registry', () => {
  it('rejects a provider that the API does not name', () => {
    const made = (key: string) => new ProviderRegistry([{ ...externalProvider([]), key }]);
    expect(() => made('abacus')).toThrow('"abacus"');
    expect(made('plaid').infos()).toEqual([{ ...externalProvider([]).info, provider: 'plaid' }]);
  });

  it('finds providers by name, including ones that were disabled after a connection was made (ledger L-115)', () => {
    const registry = new ProviderRegistry([{ ...externalProvider([]), key: 'external' }]);
    expect(registry.find('quickbooks')).toBeUndefined();
    expect(registry.keepsBooks('quickbooks')).toBe(false);
    expect(() => registry.require('quickbooks')).toThrow('not enabled');
    expect(() => registry.require('abacus')).toThrow('There is no provider');
  });
});
