/** @module-tag sessions */
// Goal: auto-map-elements works over HTTP without a model: accepted, executed in batches, rejected arcs reported.
// Method: a real service with a plugin that owns the domain `ledger`, and guards that a test can arm.
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import taxonomy from '../src/index.ts';
import { arcsOf, autoMap, type Books, books, closedIds, ledgerDomain, mappedBy, type Row } from './auto-map-books.ts';

let service: TestService;
let user: TestClient;

beforeAll(async () => {
  service = await startTestService({ plugins: [ledgerDomain, taxonomy] });
});
beforeEach(async () => {
  user = await service.newUser('Ada');
});
afterAll(() => service.close());

const plain: readonly Row[] = [
  ['1000', 'Cash', 'asset'],
  ['1300', 'Prepaid Insurance', 'asset'],
  ['1390', 'Misc Clearing', 'asset'],
  ['2000', 'Accounts payable', 'liability'],
  ['3000', 'Common stock', 'equity'],
  ['4000', 'Consulting revenue', 'revenue'],
  ['1500', 'Restaurant furniture', 'asset'],
];

describe('auto-map-elements', () => {
  it('returns a pending run with links, and writes confident arcs as approved (taxonomy AM-1, AM-9, AM-12)', async () => {
    const own = await books(user, 'Plain', plain);
    const accepted = await autoMap(user, own);
    expect(accepted.status).toBe(202);
    const { operationId } = accepted.body;
    expect(accepted.body).toMatchObject({
      operation: 'auto-map-elements',
      status: 'pending',
      result: {
        operation_type: 'auto-map-elements',
        deduplicated: false,
        _links: { status: `/v1/operations/${operationId}/status`, cancel: `/v1/operations/${operationId}` },
      },
    });
    const ended = await user.follow(operationId);
    const { result } = ended.body;
    expect(result).toMatchObject({ unclassified: 0, passes: 1, stop_reason: 'no_progress', engine: 'deterministic' });
    expect(result.mapped + result.flagged + result.skipped).toBe(plain.length);
    expect(result.message).toMatch(/^Mapping stopped \(no_progress\) after 1 pass/);
    const arcs = await arcsOf(user, own);
    expect(arcs.get('Prepaid Insurance')).toEqual({
      fromElementName: 'Prepaid Insurance',
      toElementQname: 'rs-gaap:PrepaidExpenseCurrent',
      confidence: expect.any(Number),
      suggestedBy: 'mapping-operator',
      approvedBy: 'auto',
    });
    expect(arcs.has('Misc Clearing')).toBe(false);
    expect(result.coverage_percent).toBeCloseTo((arcs.size / plain.length) * 100, 5);
    for (const { confidence, approvedBy } of arcs.values()) {
      expect(confidence).toBeGreaterThanOrEqual(0.7);
      expect(approvedBy).toBe(confidence >= 0.9 ? 'auto' : null);
    }
    const flagged = [...arcs.values()].filter(({ approvedBy }) => approvedBy === null);
    expect(flagged).toHaveLength(result.flagged);
    expect(flagged.map(({ fromElementName }) => fromElementName)).toEqual(['Restaurant furniture']);
  });

  it('maps an account once, and does nothing on a mapped chart (taxonomy AM-3)', async () => {
    const own = await books(user, 'Full', [['1000', 'Cash', 'asset']]);
    expect(await mappedBy(user, own)).toMatchObject({ mapped: 1, stop_reason: 'complete', coverage_percent: 100 });
    const again = await mappedBy(user, own);
    expect(again).toMatchObject({ mapped: 0, flagged: 0, skipped: 0, passes: 0, stop_reason: 'complete' });
    expect((await arcsOf(user, own)).size).toBe(1);
  });

  it('rejects an unknown mapping before it queues a run (taxonomy AM-1)', async () => {
    const own = await books(user, 'Unknown', [['1000', 'Cash', 'asset']]);
    const answer = await autoMap(user, { ...own, mappingId: 'struct_nothing' });
    expect(answer.status).toBe(404);
    expect((await arcsOf(user, own)).size).toBe(0);
  });

  it('skips accounts protected by a closed month, with the reason, and ignores retired accounts (taxonomy AM-10, T-40)', async () => {
    const own = await books(user, 'Closed', [
      ['1000', 'Cash', 'asset'],
      ['1010', 'Petty cash', 'asset'],
      ['1020', 'Savings', 'asset', { is_active: true }],
    ]);
    closedIds.add(own.ids.get('Petty cash') ?? '');
    const retire = await user.post(`/extensions/ledger/${own.graphId}/operations/update-taxonomy-block`, {
      taxonomy_id: (await taxonomyOf(own)) ?? '',
      taxonomy_type: 'chart_of_accounts',
      elements_to_update: [{ qname: 'coa:1020', is_active: false }],
    });
    expect(retire.status, JSON.stringify(retire.body)).toBe(200);
    const result = await mappedBy(user, own);
    expect(result).toMatchObject({ mapped: 1, skipped: 1, stop_reason: 'no_progress', coverage_percent: 50 });
    expect(result.refused_elements).toMatchObject([{ name: 'Petty cash', reason: expect.stringMatching(/2025-01/) }]);
    expect([...(await arcsOf(user, own)).keys()]).toEqual(['Cash']);
  });
});

async function taxonomyOf({ graphId }: Books): Promise<string | undefined> {
  const { body } = await user.graphql(graphId, '{ taxonomies { taxonomies { id taxonomyType } } }');
  const rows: readonly { readonly id: string; readonly taxonomyType: string }[] = body.data.taxonomies.taxonomies;
  return rows.find(({ taxonomyType }) => taxonomyType === 'chart_of_accounts')?.id;
}
