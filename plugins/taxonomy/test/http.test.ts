/** @module-tag sessions */
// Goal: the operations and queries of this plugin work over HTTP, with the envelope and the seeded library.
// Method: a real service with a plugin that only owns the domain `ledger`.
import { definePlugin } from '@pacioli/core';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import taxonomy from '../src/index.ts';

const ledgerDomain = definePlugin({
  name: 'ledger-domain',
  title: 'Owner of the domain',
  version: '0.1.0',
  kernel: '^0.1.0',
  domain: 'ledger',
});

let service: TestService;
let user: TestClient;
let graphId: string;
let mappingId: string;
let accounts: ReadonlyMap<string, string>;

const operation = (name: string, body: unknown, client = user) =>
  client.post(`/extensions/ledger/${graphId}/operations/${name}`, body);
const read = async (query: string, variables: Record<string, unknown> = {}) => {
  const { body } = await user.graphql(graphId, query, variables);
  expect(body.errors).toBeUndefined();
  return body.data;
};

const names = [
  'Cash',
  'Accounts receivable',
  'Accounts payable',
  'Common stock',
  'Consulting revenue',
  'Misc clearing',
];
const traits = ['asset', 'asset', 'liability', 'equity', 'revenue', 'asset'];

beforeAll(async () => {
  service = await startTestService({ plugins: [ledgerDomain, taxonomy] });
  user = await service.newUser('Ada');
  graphId = await user.createGraph('Books', ['ledger']);
  const answer = await operation('create-taxonomy-block', {
    name: 'Chart of Accounts',
    taxonomy_type: 'chart_of_accounts',
    elements: names.map((name, index) => ({
      qname: `coa:${index + 1}000`,
      code: `${index + 1}000`,
      name,
      trait: traits[index],
    })),
    structures: [{ name: 'CoA to US GAAP Mapping', block_type: 'coa_mapping' }],
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const { result } = answer.body;
  mappingId = result.structures[0].id;
  accounts = new Map(result.elements.map(({ qname, id }: { qname: string; id: string }) => [qname, id]));
});

afterAll(() => service.close());

describe('mappings over HTTP', () => {
  it('maps an account, counts it and removes the mapping again (taxonomy M-16)', async () => {
    const target = (
      await read(
        '{ libraryElement(qname: "us-gaap:CashAndCashEquivalentsAtCarryingValue") { id qname labels { role text } } }',
      )
    ).libraryElement;
    expect(target).toMatchObject({
      qname: 'rs-gaap:CashAndCashEquivalentsAtCarryingValue',
      labels: [{ role: 'standard' }],
    });
    const request = { mapping_id: mappingId, from_element_id: accounts.get('coa:1000'), to_element_id: target.id };
    const made = await operation('create-mapping-association', request);
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    expect(made.body.result).toMatchObject({ from_element_name: 'Cash', association_type: 'mapping' });
    expect((await operation('create-mapping-association', request)).status).toBe(409);

    const coverage =
      '{ mappingCoverage(mappingId: "ID") { totalCoaElements mappedCount unmappedCount coveragePercent unreachableCount } }';
    const first = await read(coverage.replace('ID', mappingId));
    expect(first.mappingCoverage).toMatchObject({
      totalCoaElements: 6,
      mappedCount: 1,
      unmappedCount: 5,
      unreachableCount: 0,
    });
    const { mapping } = await read(
      'query ($id: String!) { mapping(mappingId: $id) { name totalAssociations associations { id toElementQname } } }',
      {
        id: mappingId,
      },
    );
    expect(mapping).toMatchObject({ totalAssociations: 1, associations: [{ toElementQname: target.qname }] });

    const removed = await operation('delete-mapping-association', {
      mapping_id: mappingId,
      association_id: mapping.associations[0].id,
    });
    expect(removed.body.result).toEqual({ deleted: true });
    expect((await read(coverage.replace('ID', mappingId))).mappingCoverage.mappedCount).toBe(0);
  });

  it('returns null for an unknown mapping (taxonomy M-18)', async () => {
    expect(await read('{ mapping(mappingId: "x") { id } mappingCoverage(mappingId: "x") { mappingId } }')).toEqual({
      mapping: null,
      mappingCoverage: null,
    });
  });

  it('suggests concepts for unmapped accounts (taxonomy M-15)', async () => {
    const { unmappedElements } = await read(
      '{ unmappedElements { code name trait suggestedTargets { qname confidence } } }',
    );
    expect(unmappedElements.map(({ name }: { name: string }) => name)).toEqual(names);
    const [receivable] = unmappedElements[1].suggestedTargets;
    expect(receivable.qname).toMatch(/Receivable/);
    expect(receivable.confidence).toBeGreaterThanOrEqual(0.7);
    expect(unmappedElements[5].suggestedTargets[0]).toMatchObject({ confidence: 0.4 });
  });

  it('lists the candidates of a trait', async () => {
    const { mappingCandidates } = await read(
      '{ mappingCandidates(classification: "asset") { qname trait isAbstract depth } }',
    );
    expect(mappingCandidates[0]).toEqual({
      qname: 'rs-gaap:CashAndCashEquivalentsAtCarryingValue',
      trait: 'asset',
      isAbstract: false,
      depth: 0,
    });
  });
});

describe('taxonomy blocks over HTTP', () => {
  it('rejects an invalid block with 422 and a sentence that names every issue (taxonomy T-23)', async () => {
    const answer = await operation('create-taxonomy-block', {
      name: 'Broken',
      taxonomy_type: 'chart_of_accounts',
      elements: [{ qname: 'x:1', name: 'No trait' }],
      associations: [{ structure_ref: 'none', from_ref: 'x:1', to_ref: 'x:1', association_type: 'presentation' }],
    });
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toMatch(
      /^\d taxonomy block validation issue\(s\): .*phantom_structure_ref.*coa_missing_classification/,
    );
  });

  it('returns 501 for creating a reporting standard (taxonomy T-4)', async () => {
    const answer = await operation('create-taxonomy-block', { name: 'Mine', taxonomy_type: 'reporting_standard' });
    expect(answer.status).toBe(501);
  });

  it('updates the chart in place', async () => {
    const { taxonomies } = (
      await read('{ taxonomies(taxonomyType: "chart_of_accounts") { taxonomies { id isLocked isShared } } }')
    ).taxonomies;
    expect(taxonomies).toHaveLength(1);
    const answer = await operation('update-taxonomy-block', {
      taxonomy_id: taxonomies[0].id,
      elements_to_update: [{ qname: 'coa:6000', is_active: false }],
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const { unmappedElements } = await read('{ unmappedElements { name } }');
    expect(unmappedElements).toHaveLength(5);
  });

  it('rejects callers who are not members of the graph', async () => {
    const stranger = await service.newUser('Eve');
    const answer = await operation(
      'create-taxonomy-block',
      { name: 'Mine', taxonomy_type: 'chart_of_accounts' },
      stranger,
    );
    expect([403, 404]).toContain(answer.status);
  });
});

describe('lists over HTTP', () => {
  it('lists the library in addition to the chart (taxonomy LB-14)', async () => {
    const { libraryTaxonomies } = await read(
      '{ libraryTaxonomies(includeElementCount: true) { standard isLocked elementCount } }',
    );
    expect(libraryTaxonomies).toEqual([
      { standard: 'coa', isLocked: false, elementCount: 6 },
      { standard: 'mapping', isLocked: false, elementCount: 0 },
      { standard: 'rs-driver', isLocked: true, elementCount: 5 },
      { standard: 'rs-gaap', isLocked: true, elementCount: 581 },
      { standard: 'rs-metric', isLocked: true, elementCount: 11 },
    ]);
    const { elements } = await read(
      '{ elements(source: "native", limit: 2) { elements { code balanceType } pagination { total hasMore } } }',
    );
    expect(elements).toEqual({
      elements: [
        { code: '1000', balanceType: 'debit' },
        { code: '2000', balanceType: 'debit' },
      ],
      pagination: { total: 5, hasMore: true },
    });
    const { structures, mappings } = await read(
      '{ structures(blockType: "coa_mapping") { structures { id } } mappings { structures { id name } } }',
    );
    expect(structures.structures).toEqual([{ id: mappingId }]);
    expect(mappings.structures).toEqual([{ id: mappingId, name: 'CoA to US GAAP Mapping' }]);
  });

  it('finds library elements by words and by filter (taxonomy LB-16)', async () => {
    const found = await read('{ searchLibraryElements(query: "accounts payable", limit: 5) { qname } }');
    expect(found.searchLibraryElements.map(({ qname }: { qname: string }) => qname)).toContain(
      'rs-gaap:AccountsPayableCurrent',
    );
    expect((await read('{ searchLibraryElements(query: " ") { qname } }')).searchLibraryElements).toEqual([]);
    const { libraryElements } = await read(
      '{ libraryElements(classification: "loss", includeLabels: true) { qname trait labels { text } } }',
    );
    expect(libraryElements).toEqual([
      { qname: expect.any(String), trait: 'loss', labels: [{ text: expect.any(String) }] },
    ]);
  });

  it('returns at most 500 search results for any limit up to 1000 (taxonomy LB-16)', async () => {
    const counts = await read(
      '{ some: searchLibraryElements(query: "e", limit: 501) { id } all: searchLibraryElements(query: "e", limit: 1000) { id } }',
    );
    expect([counts.some.length, counts.all.length]).toEqual([500, 500]);
    const { body } = await user.graphql(graphId, '{ searchLibraryElements(query: "e", limit: 1001) { id } }');
    expect(body.errors[0]).toMatchObject({ extensions: { code: 'INVALID_PAGINATION' } });
  });

  it('rejects pages outside the limits (taxonomy LB-19)', async () => {
    const { body } = await user.graphql(graphId, '{ libraryElements(limit: 1001) { id } }');
    expect(body.errors[0]).toMatchObject({
      message: 'limit must be between 1 and 1000',
      extensions: { code: 'INVALID_PAGINATION' },
    });
  });
});
