// Goal: auto-map-elements works through HTTP: accepted, joined, carried out by a worker in batches, resumable.
// Method: a real service with a plugin that owns the domain `ledger`, and guards that a test can arm.
import { contribute, definePlugin } from '@pacioli/core';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import taxonomy, { elementGuards } from '../src/index.ts';

const closedIds = new Set<string>();

/** Owns the domain, and knows closed months. */
const ledgerDomain = definePlugin({
  name: 'ledger-domain',
  title: 'Owner of the domain',
  version: '0.1.0',
  kernel: '^0.1.0',
  domain: 'ledger',
  dependsOn: ['taxonomy'],
  contributions: [
    contribute(elementGuards, 'test-history', {
      create: () => ({
        used: async () => [],
        closedMonths: async (_tx, ids) =>
          ids.some((id) => closedIds.has(id)) ? { count: 1, first: '2025-01', last: '2025-01' } : undefined,
      }),
    }),
  ],
});

let service: TestService;
let user: TestClient;

beforeAll(async () => {
  service = await startTestService({ plugins: [ledgerDomain, taxonomy] });
  user = await service.newUser('Ada');
});
afterAll(() => service.close());

interface Books {
  readonly graphId: string;
  readonly mappingId: string;
  readonly ids: ReadonlyMap<string, string>;
}

type Row = readonly [code: string, name: string, trait: string, more?: object];

async function books(name: string, rows: readonly Row[]): Promise<Books> {
  const graphId = await user.createGraph(name, ['ledger']);
  const answer = await user.post(`/extensions/ledger/${graphId}/operations/create-taxonomy-block`, {
    name: 'Chart of Accounts',
    taxonomy_type: 'chart_of_accounts',
    elements: rows.map(([code, account, trait, more]) => ({
      qname: `coa:${code}`,
      code,
      name: account,
      trait,
      ...more,
    })),
    structures: [{ name: 'CoA to US GAAP Mapping', block_type: 'coa_mapping' }],
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const { result } = answer.body;
  const ids = result.elements.map((element: { name: string; id: string }) => [element.name, element.id]);
  return { graphId, mappingId: result.structures[0].id, ids: new Map(ids) };
}

const autoMap = ({ graphId, mappingId }: Books, client = user) =>
  client.post(`/extensions/ledger/${graphId}/operations/auto-map-elements`, { mapping_id: mappingId });

async function mappedBy(of: Books) {
  const accepted = await autoMap(of);
  expect(accepted.status, JSON.stringify(accepted.body)).toBe(202);
  const ended = await user.follow(accepted.body.operationId);
  expect(ended.body.status, JSON.stringify(ended.body)).toBe('completed');
  return ended.body.result;
}

interface Arc {
  readonly fromElementName: string;
  readonly toElementQname: string;
  readonly confidence: number;
  readonly suggestedBy: string;
  readonly approvedBy: string | null;
}

async function arcsOf({ graphId, mappingId }: Books): Promise<ReadonlyMap<string, Arc>> {
  const { body } = await user.graphql(
    graphId,
    `query ($id: String!) { mapping(mappingId: $id) { associations {
      fromElementName toElementQname confidence suggestedBy approvedBy } } }`,
    { id: mappingId },
  );
  expect(body.errors).toBeUndefined();
  const arcs: readonly Arc[] = body.data.mapping.associations;
  const byName = new Map(arcs.map((arc) => [arc.fromElementName, arc]));
  expect(byName.size).toBe(arcs.length); // No account twice.
  return byName;
}

const plain: readonly Row[] = [
  ['1000', 'Cash', 'asset'],
  ['1300', 'Prepaid Insurance', 'asset'],
  ['1390', 'Misc Clearing', 'asset'],
  ['2000', 'Accounts payable', 'liability'],
  ['3000', 'Common stock', 'equity'],
  ['4000', 'Consulting revenue', 'revenue'],
  ['6000', 'Tax supplies', 'expense'],
];

describe('auto-map-elements', () => {
  it('answers pending with links, and writes what it is sure of as approved (taxonomy AM-1, AM-9, AM-12)', async () => {
    const own = await books('Plain', plain);
    const accepted = await autoMap(own);
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
    const arcs = await arcsOf(own);
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
    expect(flagged.map(({ fromElementName }) => fromElementName)).toEqual(['Inventory for display']);
  });

  it('finds nothing to do on a mapped chart, and marks the graph stale when it wrote (taxonomy AM-3)', async () => {
    const own = await books('Full', [['1000', 'Cash', 'asset']]);
    expect(await mappedBy(own)).toMatchObject({ mapped: 1, stop_reason: 'complete', coverage_percent: 100 });
    const again = await mappedBy(own);
    expect(again).toMatchObject({ mapped: 0, flagged: 0, skipped: 0, passes: 0, stop_reason: 'complete' });
    expect((await arcsOf(own)).size).toBe(1);
  });

  it('refuses an unknown mapping before it queues anything (taxonomy AM-1)', async () => {
    const own = await books('Unknown', [['1000', 'Cash', 'asset']]);
    const answer = await autoMap({ ...own, mappingId: 'struct_nothing' });
    expect(answer.status).toBe(404);
    expect((await arcsOf(own)).size).toBe(0);
  });

  it('skips what a closed month protects, with the reason, and retired accounts altogether (taxonomy AM-10, T-40)', async () => {
    const own = await books('Closed', [
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
    const result = await mappedBy(own);
    expect(result).toMatchObject({ mapped: 1, skipped: 1, stop_reason: 'no_progress', coverage_percent: 50 });
    expect(result.refused_elements).toMatchObject([{ name: 'Petty cash', reason: expect.stringMatching(/2025-01/) }]);
    expect([...(await arcsOf(own)).keys()]).toEqual(['Cash']);
  });
});

async function taxonomyOf({ graphId }: Books): Promise<string | undefined> {
  const { body } = await user.graphql(graphId, '{ taxonomies { taxonomies { id taxonomyType } } }');
  const rows: readonly { readonly id: string; readonly taxonomyType: string }[] = body.data.taxonomies.taxonomies;
  return rows.find(({ taxonomyType }) => taxonomyType === 'chart_of_accounts')?.id;
}
