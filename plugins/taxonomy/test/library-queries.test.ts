/** @module-tag sessions */
// Goal: the library's taxonomies are the same on graph `library` and on a tenant graph, which adds its own rows.
// Method: a real service with a plugin that only owns the domain `ledger`.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cashName, type LibraryBooks, openLibraryBooks } from './library-books.ts';

let service: LibraryBooks['service'];
let user: LibraryBooks['user'];
let graphId: LibraryBooks['graphId'];
let mappingId: LibraryBooks['mappingId'];
let cashId: LibraryBooks['cashId'];
let gaapId: LibraryBooks['gaapId'];
let facId: LibraryBooks['facId'];
let readOf: LibraryBooks['readOf'];
let readBoth: LibraryBooks['readBoth'];

beforeAll(async () => {
  ({ service, user, graphId, mappingId, cashId, gaapId, facId, readOf, readBoth } = await openLibraryBooks());
});
afterAll(() => service.close());

describe('library taxonomies', () => {
  it('returns taxonomies by id or standard, with their element count when requested (taxonomy LB-8, LB-15)', async () => {
    const query = `query ($id: ID!) {
      byId: libraryTaxonomy(id: $id, includeElementCount: true) { id standard isLocked isShared elementCount }
      byStandard: libraryTaxonomy(standard: "rs-gaap") { id elementCount }
      hidden: libraryTaxonomy(standard: "fac", includeElementCount: true) { id elementCount }
      unknownVersion: libraryTaxonomy(standard: "rs-gaap", version: "v0") { id }
      unasked: libraryTaxonomy { id } }`;
    for (const data of await readBoth(query, { id: gaapId })) {
      expect(data).toEqual({
        byId: { id: gaapId, standard: 'rs-gaap', isLocked: true, isShared: true, elementCount: 581 },
        byStandard: { id: gaapId, elementCount: null },
        hidden: { id: facId, elementCount: 111 },
        unknownVersion: null,
        unasked: null,
      });
    }
  });

  it('returns a count and pages of arcs by structure, source and order', async () => {
    const query = `query ($id: ID!) {
      all: libraryTaxonomyArcCount(taxonomyId: $id)
      shown: libraryTaxonomyArcCount(taxonomyId: $id, associationType: "presentation")
      first: libraryTaxonomyArcs(taxonomyId: $id, limit: 3) { id structureName fromElementQname associationType }
      rest: libraryTaxonomyArcs(taxonomyId: $id, limit: 2, offset: 1) { id }
      plain: libraryTaxonomyArcs(taxonomyId: $id) { id structureName } }`;
    const [tenant, library] = await readBoth(query, { id: gaapId });
    expect(tenant).toEqual(library);
    // 1,092 presentation arcs, 914 sums with 60 roll-forwards, and 140 derivations of the cash flow.
    expect([tenant.shown, tenant.all]).toEqual([1092, 1092 + 914 + 60 + 140]);
    expect(tenant.rest).toEqual(tenant.first.slice(1).map(({ id }: { id: string }) => ({ id })));
    expect(tenant.plain).toHaveLength(200);
    const names = tenant.plain.map(({ structureName }: { structureName: string }) => structureName);
    expect(names).toEqual([...names].sort());
  });

  it('returns the arcs of one structure of the graph itself', async () => {
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

  it('returns the standard that the statements of a graph follow (taxonomy LB-17)', async () => {
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
  it('supports the fields of the library and none of the ledger (taxonomy LB-13)', async () => {
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

  it('returns the same ids on graph library and on a tenant graph in every field (taxonomy LB-8)', async () => {
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
