import { definePlugin } from '@pacioli/core';
import taxonomy from '@pacioli/taxonomy';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import operators from '../src/index.ts';

/** The operations of the taxonomy are in this domain, whose plugin is not the subject. */
const ledgerDomain = definePlugin({
  name: 'ledger-domain',
  title: 'Owner of the domain',
  version: '0.1.0',
  kernel: '^0.1.0',
  dependsOn: ['taxonomy'],
  domain: 'ledger',
});

let service: TestService;
let user: TestClient;
let graphId: string;

beforeAll(async () => {
  service = await startTestService({ plugins: [ledgerDomain, taxonomy, operators] });
  user = await service.newUser('Ada');
  graphId = await user.createGraph('Books', ['ledger']);
});
afterAll(() => service.close());

const operation = (name: string, body: object) => user.post(`/extensions/ledger/${graphId}/operations/${name}`, body);
const map = async (context: object = {}) => {
  const asked = { message: 'Map the accounts', mode: 'extended', context };
  const accepted = await user.post(`/v1/graphs/${graphId}/operator/mapping`, asked);
  expect(accepted.status).toBe(202);
  return (await user.follow(accepted.body.operation_id)).body;
};

describe('the mapping operator', () => {
  it('fails with what to do if the graph has no mapping, or another one is named (ai-surface OP-13, taxonomy AM-1)', async () => {
    expect(await map()).toMatchObject({
      status: 'failed',
      error: 'This graph has 0 mappings. Name one in context.mapping_id.',
      error_details: { code: 'MAPPING_NOT_FOUND' },
    });
    expect((await map({ mapping_id: 'struct_none' })).error).toBe('Mapping not found');
    const waited = await user.post(`/v1/graphs/${graphId}/operator/mapping?mode=sync`, { message: 'Map the accounts' });
    expect(waited.status).toBe(200);
    expect(waited.body).toMatchObject({ is_partial: true, error_details: { code: 'MAPPING_NOT_FOUND' } });
  });

  it('maps accounts without a language model and without credits (ai-surface 7.1, taxonomy AM-12)', async () => {
    const chart = await operation('create-taxonomy-block', {
      name: 'Chart of Accounts',
      taxonomy_type: 'chart_of_accounts',
      elements: [
        { qname: 'coa:1000', name: 'Cash', code: '1000', trait: 'asset' },
        { qname: 'coa:2000', name: 'Accounts Payable', code: '2000', trait: 'liability' },
      ],
      structures: [{ name: 'CoA to US GAAP Mapping', block_type: 'coa_mapping' }],
    });
    expect(chart.status, JSON.stringify(chart.body)).toBe(200);
    const ended = await map();
    expect(ended).toMatchObject({
      status: 'completed',
      result: {
        operator_used: 'mapping',
        mode_used: 'extended',
        mapped: 2,
        engine: 'deterministic',
        metadata: { mapped: 2, credits_consumed: 0, call_count: 0, has_credit_tracking: false },
      },
    });
    expect(ended.result.content).toMatch(/^Mapping stopped/);
  });
});
