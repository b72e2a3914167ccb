import { readFileSync } from 'node:fs';
import { describeSet } from '@pacioli/core/assembly';
import { describe, expect, it } from 'vitest';
import { aliases, plugins } from '../src/plugins.ts';

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

const contractFile = new URL('../../../conformance/contract/openapi.json', import.meta.url);
/** Of operations and routes that are additions to the contract, which the published clients do not call. */
const added = [
  'AddExtensionRequest',
  'AddExtensionResponse',
  'FileDownloadUrlResponse',
  'HeldSecurity',
  'InstrumentList',
  'InstrumentSummary',
  'IssuerHoldings',
  'KindHoldings',
  'OmittedHoldings',
  'OperationEnvelopeAddExtensionResponse',
  'OperationEnvelopeShareSettingsResponse',
  'PortfolioHoldingsResponse',
  'ShareSettingsResponse',
  'UpdateShareSettingsRequest',
];
const namesOf = (document: Document) => Object.keys(document.components.schemas);

describe('GET /openapi.json', () => {
  it('names only schemas that the contract names, because generated clients make a class of each', () => {
    const contract = namesOf(JSON.parse(readFileSync(contractFile, 'utf8')));
    const served = namesOf(describeSet({ plugins, aliases }).openapi as unknown as Document); // The document's own shape.
    expect(served.length).toBeGreaterThan(200);
    expect(served.filter((name) => !contract.includes(name))).toEqual(added);
  });
});
