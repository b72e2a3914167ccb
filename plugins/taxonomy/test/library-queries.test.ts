// Goal: the library's fields answer alike on graph `library` and on a tenant graph, which adds its own rows.
// Method: a real service with a plugin that owns the domain `ledger` and nothing else.
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
const cashName = 'rs-gaap:CashAndCashEquivalentsAtCarryingValue';

let service: TestService;
let user: TestClient;
let graphId: string;
let mappingId: string;
let cashAccountId: string;
let cashId: string;
let gaapId: string;
let facId: string;

const readOf = async (graph: string, query: string, variables: Record<string, unknown> = {}) => {
  const { body } = await user.graphql(graph, query, variables);
  expect(body.errors).toBeUndefined();
  return body.data;
};
/** Reads on the tenant graph and on graph `library`. */
const readBoth = (query: string, variables: Record<string, unknown> = {}) =>
  Promise.all([graphId, 'library'].map((graph) => readOf(graph, query, variables)));

beforeAll(async () => {
  service = await startTestService({ plugins: [ledgerDomain, taxonomy] });
  user = await service.newUser('Ada');
  graphId = await user.createGraph('Books', ['ledger']);
  const operation = (name: string, body: unknown) =>
    user.post(`/extensions/ledger/${graphId}/operations/${name}`, body);
  const made = await operation('create-taxonomy-block', {
    name: 'Chart of Accounts',
    taxonomy_type: 'chart_of_accounts',
    elements: [{ qname: 'coa:1000', code: '1000', name: 'Cash', trait: 'asset' }],
    structures: [{ name: 'CoA to US GAAP Mapping', block_type: 'coa_mapping' }],
  });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  mappingId = made.body.result.structures[0].id;
  cashAccountId = made.body.result.elements[0].id;
  const ids = await readOf(
    'library',
    `{ libraryElement(qname: "${cashName}") { id } gaap: libraryTaxonomy(standard: "rs-gaap") { id }
       fac: libraryTaxonomy(standard: "fac", version: "v1") { id } }`,
  );
  [cashId, gaapId, facId] = [ids.libraryElement.id, ids.gaap.id, ids.fac.id];
  const mapped = await operation('create-mapping-association', {
    mapping_id: mappingId,
    from_element_id: cashAccountId,
    to_element_id: cashId,
  });
  expect(mapped.status, JSON.stringify(mapped.body)).toBe(200);
});

afterAll(() => service.close());

describe('taxonomies of the library', () => {
  it('are found by id or standard, with their count when asked (taxonomy LB-8, LB-15)', async () => {
    const query = `query ($id: ID!) {
      byId: libraryTaxonomy(id: $id, includeElementCount: true) { id standard isLocked isShared elementCount }
      byStandard: libraryTaxonomy(standard: "rs-gaap") { id elementCount }
      hidden: libraryTaxonomy(standard: "fac", includeElementCount: true) { id elementCount }
      unknownVersion: libraryTaxonomy(standard: "rs-gaap", version: "v0") { id }
      unasked: libraryTaxonomy { id } }`;
    for (const data of await readBoth(query, { id: gaapId })) {
      expect(data).toEqual({
        byId: { id: gaapId, standard: 'rs-gaap', isLocked: true, isShared: true, elementCount: 580 },
        byStandard: { id: gaapId, elementCount: null },
        hidden: { id: facId, elementCount: 111 },
        unknownVersion: null,
        unasked: null,
      });
    }
  });

  it('count and page their arcs by structure, source and place', async () => {
    const query = `query ($id: ID!) {
      all: libraryTaxonomyArcCount(taxonomyId: $id)
      shown: libraryTaxonomyArcCount(taxonomyId: $id, associationType: "presentation")
      first: libraryTaxonomyArcs(taxonomyId: $id, limit: 3) { id structureName fromElementQname associationType }
      rest: libraryTaxonomyArcs(taxonomyId: $id, limit: 2, offset: 1) { id }
      plain: libraryTaxonomyArcs(taxonomyId: $id) { id structureName } }`;
    const [tenant, library] = await readBoth(query, { id: gaapId });
    expect(tenant).toEqual(library);
    // 1,076 presentation arcs, 898 sums with 60 roll-forwards, and 61 derivations of the cash flow.
    expect([tenant.shown, tenant.all]).toEqual([1076, 1076 + 898 + 60 + 61]);
    expect(tenant.rest).toEqual(tenant.first.slice(1).map(({ id }: { id: string }) => ({ id })));
    expect(tenant.plain).toHaveLength(200);
    const names = tenant.plain.map(({ structureName }: { structureName: string }) => structureName);
    expect(names).toEqual([...names].sort());
  });

  it('show the arcs of one structure of the graph itself', async () => {
    const { taxonomies } = (await readOf(graphId, '{ taxonomies(taxonomyType: "mapping") { taxonomies { id } } }'))
      .taxonomies;
    const data = await readOf(
      graphId,
      `query ($id: ID!, $structure: ID!) {
        libraryTaxonomyArcs(taxonomyId: $id, structureId: $structure) {
          fromElementQname fromElementTrait fromElementIsAbstract toElementQname toElementTrait associationType } }`,
      { id: taxonomies[0].id, structure: mappingId },
    );
    expect(data.libraryTaxonomyArcs).toEqual([
      {
        fromElementQname: 'coa:1000',
        fromElementTrait: 'asset',
        fromElementIsAbstract: false,
        toElementQname: cashName,
        toElementTrait: 'asset',
        associationType: 'mapping',
      },
    ]);
  });

  it('name the standard that the statements of a graph follow (taxonomy LB-17)', async () => {
    const query = '{ reportingTaxonomy { id standard isLocked taxonomyType } }';
    expect((await readOf(graphId, query)).reportingTaxonomy).toEqual({
      id: gaapId,
      standard: 'rs-gaap',
      isLocked: true,
      taxonomyType: 'reporting_standard',
    });
  });
});

describe('graph library', () => {
  it('answers the fields of the library and none of the ledger (taxonomy LB-13)', async () => {
    for (const field of [
      'reportingTaxonomy { id }',
      'taxonomies { taxonomies { id } }',
      'elements { elements { id } }',
      'structures { structures { id } }',
      'mappings { structures { id } }',
    ]) {
      const { body } = await user.graphql('library', `{ ${field} }`);
      expect(body.errors[0].extensions.code, field).toBe('EXTENSION_NOT_PROVISIONED');
    }
    const write = await user.post('/extensions/ledger/library/operations/create-taxonomy-block', {
      name: 'Mine',
      taxonomy_type: 'chart_of_accounts',
    });
    expect(write.status).toBe(403);
  });

  it('has the same ids as a tenant graph in every field (taxonomy LB-8)', async () => {
    const { libraryStructures } = await readOf('library', '{ libraryStructures(blockType: "balance_sheet") { id } }');
    const query = `query ($gaap: ID!, $cash: ID!, $structure: ID!) {
      libraryTaxonomy(standard: "rs-gaap") { id }
      libraryTaxonomyArcCount(taxonomyId: $gaap)
      libraryTaxonomyArcs(taxonomyId: $gaap, limit: 50) { id fromElementId toElementId structureId }
      libraryElement(id: $cash) { id taxonomyId }
      libraryElements(taxonomyId: $gaap, limit: 50) { id }
      searchLibraryElements(query: "deferred revenue", source: "rs-gaap") { id }
      libraryElementTree(id: $cash) { element { id } children { element { id } } }
      libraryElementEquivalents(id: $cash) { equivalents { id } }
      libraryElementClassifications(id: $cash) { category identifier }
      libraryStructures(taxonomyId: $gaap) { id }
      libraryStructure(id: $structure) { id }
      taxonomyBlock(id: $gaap) { id elements { id } associations { id } } }`;
    const [tenant, library] = await readBoth(query, { gaap: gaapId, cash: cashId, structure: libraryStructures[0].id });
    expect(tenant).toEqual(library);
    expect(library.searchLibraryElements.length).toBeGreaterThan(0);
  });
});

describe('elements of the library', () => {
  it('are listed and searched together with the own ones (taxonomy LB-14)', async () => {
    const query = `{ own: libraryElements(source: "native", includeLabels: true) { id qname labels { role text } }
      debt: libraryElements(source: "fac", limit: 1) { qname }
      found: searchLibraryElements(query: "cash", limit: 3) { id qname }
      bySource: searchLibraryElements(query: "COA:1000", source: "native") { id }
      hidden: searchLibraryElements(query: "assets", source: "fac") { qname } }`;
    const [tenant, library] = await readBoth(query);
    expect(tenant.own).toEqual([
      { id: cashAccountId, qname: 'coa:1000', labels: [{ role: 'standard', text: 'Cash' }] },
    ]);
    expect(tenant.found[0]).toEqual({ id: cashAccountId, qname: 'coa:1000' });
    expect(tenant.found).toHaveLength(3);
    expect(tenant.bySource).toEqual([{ id: cashAccountId }]);
    expect([tenant.debt, tenant.hidden]).toEqual([[], []]);
    expect([library.own, library.bySource]).toEqual([[], []]);
    expect(library.hidden[0]).toEqual({ qname: 'fac:Assets' });
    expect(library.found.map(({ id }: { id: string }) => id)).not.toContain(cashAccountId);
  });

  it('are found among the own rows first, then in the library (taxonomy LB-14, LB-15)', async () => {
    const query = `query ($id: ID!) {
      own: libraryElement(id: $id) { qname source labels { text } }
      byName: libraryElement(qname: "coa:1000") { id }
      hidden: libraryElement(qname: "fac:Assets") { qname namespace }
      idWins: libraryElement(id: "x", qname: "fac:Assets") { id } }`;
    const [tenant, library] = await readBoth(query, { id: cashAccountId });
    const hidden = { qname: 'fac:Assets', namespace: 'urn:pacioli:framework/fac' };
    expect(tenant).toEqual({
      own: { qname: 'coa:1000', source: 'native', labels: [{ text: 'Cash' }] },
      byName: { id: cashAccountId },
      hidden,
      idWins: null,
    });
    expect(library).toEqual({ own: null, byName: null, hidden, idWins: null });
  });

  it('show what is presented below them, in one network or in all', async () => {
    const { libraryStructures } = await readOf(
      'library',
      '{ libraryStructures(blockType: "balance_sheet") { id name roleUri } }',
    );
    const classified = libraryStructures.find(({ name }: { name: string }) => name === 'Balance Sheet, Classified');
    const { libraryElement } = await readOf('library', '{ libraryElement(qname: "rs-gaap:AssetsCurrent") { id } }');
    const arcs = await readOf(
      'library',
      `query ($taxonomy: ID!, $structure: ID!) { libraryTaxonomyArcs(taxonomyId: $taxonomy, structureId: $structure,
        associationType: "presentation", limit: 1000) { fromElementId toElementId orderValue } }`,
      { taxonomy: gaapId, structure: classified.id },
    );
    const abstract = arcs.libraryTaxonomyArcs.find(
      ({ toElementId }: { toElementId: string }) => toElementId === libraryElement.id,
    ).fromElementId;
    const query = `query ($id: ID!, $structure: ID) { libraryElementTree(id: $id, structureId: $structure, maxDepth: 1) {
      element { id labels { text } } children { element { id } children { element { id } } } } }`;
    const [tenant, library] = await readBoth(query, { id: abstract, structure: classified.id });
    expect(tenant).toEqual(library);
    const expected = arcs.libraryTaxonomyArcs
      .filter(({ fromElementId }: { fromElementId: string }) => fromElementId === abstract)
      .sort((a: { orderValue: number }, b: { orderValue: number }) => a.orderValue - b.orderValue)
      .map(({ toElementId }: { toElementId: string }) => ({ element: { id: toElementId }, children: [] }));
    expect(expected.length).toBeGreaterThan(1);
    expect(tenant.libraryElementTree).toEqual({ element: { id: abstract, labels: [] }, children: expected });

    const union = (await readOf(graphId, query, { id: abstract })).libraryElementTree;
    const ids = union.children.map(({ element }: { element: { id: string } }) => element.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(expected.map(({ element }: { element: { id: string } }) => element.id)));
  });

  it('refuse trees deeper than ten levels and answer null for an unknown root', async () => {
    const { body } = await user.graphql(
      graphId,
      `{ libraryElementTree(id: "${cashId}", maxDepth: 11) { element { id } } }`,
    );
    expect(body.errors[0]).toMatchObject({
      message: 'maxDepth must be between 1 and 10',
      extensions: { code: 'INVALID_ARGUMENT' },
    });
    expect(await readOf(graphId, '{ libraryElementTree(id: "x") { element { id } } }')).toEqual({
      libraryElementTree: null,
    });
  });

  it('have equivalents in both directions, and null when they are unknown', async () => {
    const query = `query ($id: ID!) { libraryElementEquivalents(id: $id) { element { id } equivalents { id qname } } }`;
    const { fac, liability } = await readOf(
      'library',
      '{ fac: libraryElement(qname: "fac:Assets") { id } liability: libraryElement(qname: "rs-gaap:Assets") { id } }',
    );
    for (const [from, to] of [
      [fac.id, liability.id],
      [liability.id, fac.id],
    ]) {
      const [tenant, library] = await readBoth(query, { id: from });
      expect(tenant).toEqual(library);
      expect(tenant.libraryElementEquivalents.equivalents.map(({ id }: { id: string }) => id)).toContain(to);
    }
    const own = (await readOf(graphId, query, { id: cashAccountId })).libraryElementEquivalents;
    expect(own).toEqual({ element: { id: cashAccountId }, equivalents: [] });
    expect((await readOf(graphId, query, { id: 'x' })).libraryElementEquivalents).toBeNull();
  });

  it('list the own mapping arcs from both ends, beside the bridges', async () => {
    const query = `query ($id: ID!) { libraryElementArcs(id: $id) {
      id direction associationType taxonomyStandard structureId peer { id qname } } }`;
    const [outgoing] = (await readOf(graphId, query, { id: cashAccountId })).libraryElementArcs;
    expect(outgoing).toMatchObject({
      direction: 'outgoing',
      associationType: 'mapping',
      structureId: mappingId,
      peer: { id: cashId, qname: cashName },
    });
    const [tenant, library] = await readBoth(query, { id: cashId });
    const own = tenant.libraryElementArcs.filter(
      ({ associationType }: { associationType: string }) => associationType === 'mapping',
    );
    expect(own).toMatchObject([{ id: outgoing.id, direction: 'incoming', peer: { id: cashAccountId } }]);
    expect(tenant.libraryElementArcs.filter((arc: unknown) => !own.includes(arc))).toEqual(library.libraryElementArcs);
    expect(library.libraryElementArcs.length).toBeGreaterThan(0);
    expect((await readOf(graphId, query, { id: 'x' })).libraryElementArcs).toEqual([]);
  });

  it('have traits by category (taxonomy T-9, T-11)', async () => {
    const query = `query ($id: ID!) { libraryElementClassifications(id: $id) { category identifier isPrimary } }`;
    const [tenant, library] = await readBoth(query, { id: cashId });
    expect(tenant).toEqual(library);
    expect(tenant.libraryElementClassifications).toEqual([
      { category: 'elementsOfFinancialStatements', identifier: 'asset', isPrimary: true },
      { category: 'liquidity', identifier: 'current', isPrimary: false },
    ]);
    expect((await readOf(graphId, query, { id: 'x' })).libraryElementClassifications).toEqual([]);
  });
});

describe('structures of the library', () => {
  it('hide what tenants do not see unless it is named (taxonomy LB-9, LB-15)', async () => {
    const query = '{ libraryStructures { id name taxonomyId roleUri isActive } }';
    const [tenant, library] = await readBoth(query);
    const bridge = library.libraryStructures.find(
      ({ name }: { name: string }) => name === 'Fundamental Concepts to US GAAP',
    );
    expect(bridge.roleUri).toMatch(/^urn:pacioli:framework\/role\//);
    const ids = tenant.libraryStructures.map(({ id }: { id: string }) => id);
    expect(ids).toContain(mappingId);
    expect(ids).not.toContain(bridge.id);
    expect(library.libraryStructures.map(({ id }: { id: string }) => id)).not.toContain(mappingId);
    const named = `query ($id: ID!) { libraryStructures(taxonomyId: $id) { id } libraryStructure(id: "${bridge.id}") { name } }`;
    expect(await readOf(graphId, named, { id: bridge.taxonomyId })).toEqual({
      libraryStructures: [{ id: bridge.id }],
      libraryStructure: { name: 'Fundamental Concepts to US GAAP' },
    });
    expect(await readOf('library', `{ libraryStructure(id: "${mappingId}") { id } }`)).toEqual({
      libraryStructure: null,
    });
  });
});
