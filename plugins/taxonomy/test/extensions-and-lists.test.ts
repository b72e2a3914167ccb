/** @module-tag sessions */
// Goal: concepts of extensions count, blocks are deleted as a whole, and lists match the specification (taxonomy 2.5 to
// 2.9).
// Method: a real service over HTTP and GraphQL.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chartRequest, extensionRequest, named } from './block-requests.ts';
import { type BlockService, type Loose, startBlocks, Workbench } from './blocks.ts';

let started: BlockService;
let gaapId: string;

beforeAll(async () => {
  started = await startBlocks();
  gaapId = started.gaapId;
});

afterAll(() => started.service.close());

describe('concepts of an extension', () => {
  it('maps accounts to a concept of an extension, which leads to statements through sums and blocks its deletion (taxonomy 4.2, M-17)', async () => {
    const bench = await Workbench.open(started.user);
    const own = await bench.done('create-taxonomy-block', extensionRequest(gaapId));
    const chart = await bench.done('create-taxonomy-block', chartRequest('coa'));
    const mappingId = chart.structures[0].id;
    const target = named(own.elements, 'acme:B').id;
    const made = await bench.done('create-mapping-association', {
      mapping_id: mappingId,
      from_element_id: named(chart.elements, 'coa:1010').id,
      to_element_id: target,
    });
    expect(made.to_element_qname).toBe('acme:B');
    const coverage = `query ($id: String!) { mappingCoverage(mappingId: $id) { mappedCount unreachable { targetQname } } }`;
    expect((await bench.read(coverage, { id: mappingId })).mappingCoverage).toEqual({
      mappedCount: 1,
      unreachable: [{ targetQname: 'acme:B' }],
    });
    await bench.done('update-taxonomy-block', {
      taxonomy_id: own.id,
      associations_to_add: [
        {
          structure_ref: 'List',
          from_ref: 'rs-gaap:AssetsNoncurrent',
          to_ref: 'acme:B',
          association_type: 'calculation',
        },
      ],
    });
    expect((await bench.read(coverage, { id: mappingId })).mappingCoverage.unreachable).toEqual([]);
    const { mappingCandidates } = await bench.read('{ mappingCandidates(classification: "asset") { qname } }');
    expect(mappingCandidates.slice(-3)).toEqual([{ qname: 'acme:A' }, { qname: 'acme:B' }, { qname: 'acme:Total' }]);

    const before = await bench.everything();
    const refused = await bench.operation('delete-taxonomy-block', { taxonomy_id: own.id, reason: 'Not needed' });
    expect(refused.status).toBe(422);
    expect(refused.body.detail).toContain('1 element(s) are used by arcs of other taxonomies');
    await bench.refuses('update-taxonomy-block', { taxonomy_id: own.id, elements_to_remove: ['acme:B'] }, [
      'element_has_cross_taxonomy_mappings',
    ]);
    expect(await bench.everything()).toEqual(before);

    await bench.done('delete-mapping-association', { mapping_id: mappingId, association_id: made.id });
    expect(await bench.done('delete-taxonomy-block', { taxonomy_id: own.id, reason: 'Not needed' })).toEqual({
      taxonomy_id: own.id,
      name: 'Own concepts',
      deleted: true,
      facts_deleted: 0,
      cascade_applied: false,
    });
    const left = await bench.read(
      `query ($id: ID!) { taxonomyBlock(id: $id) { id } libraryElement(qname: "acme:B") { id }
        shipped: libraryElement(qname: "rs-gaap:AssetsNoncurrent") { id } }`,
      { id: own.id },
    );
    expect(left).toMatchObject({ taxonomyBlock: null, libraryElement: null, shipped: { id: expect.any(String) } });
  });
});

describe('delete-taxonomy-block', () => {
  it('deletes a chart with its mappings, and rejects an unknown one (taxonomy M-4, T-37)', async () => {
    const bench = await Workbench.open(started.user);
    const chart = await bench.done('create-taxonomy-block', chartRequest('coa'));
    const { mappings, taxonomies } = await bench.read(
      '{ mappings { structures { taxonomyId } } taxonomies(taxonomyType: "mapping") { taxonomies { id } } }',
    );
    const mappingTaxonomy = taxonomies.taxonomies[0].id;
    expect(mappings.structures).toEqual([{ taxonomyId: mappingTaxonomy }]);
    const before = await bench.everything();
    for (const request of [
      { taxonomy_id: 'tax_x', reason: 'x' },
      { taxonomy_id: mappingTaxonomy, reason: 'x' },
      { taxonomy_id: chart.id, reason: ' ' },
    ]) {
      expect((await bench.operation('delete-taxonomy-block', request)).status).toBe(422);
    }
    expect(await bench.everything()).toEqual(before);
    await bench.done('delete-taxonomy-block', { taxonomy_id: chart.id, reason: 'Wrong template', cascade_facts: true });
    const left = await bench.read('{ mappings { structures { id } } taxonomies { taxonomies { isShared } } }');
    expect(left).toEqual({
      mappings: { structures: [] },
      taxonomies: { taxonomies: [{ isShared: true }, { isShared: true }, { isShared: true }] },
    });
    // The name is available again.
    await bench.done('create-taxonomy-block', chartRequest('coa'));
  });
});

describe('lists of blocks', () => {
  it("lists the graph's own blocks first, then the library's, by type and name (taxonomy T-45)", async () => {
    const bench = await Workbench.open(started.user);
    await bench.done('create-taxonomy-block', { name: 'Z', taxonomy_type: 'schedule' });
    await bench.done('create-taxonomy-block', { ...extensionRequest(gaapId), name: 'B' });
    await bench.done('create-taxonomy-block', chartRequest('coa'));
    const shown = `{ name taxonomyType isLocked }`;
    const { all, reporting, children, second } = await bench.read(
      `query ($gaap: ID!) { all: taxonomyBlocks ${shown} reporting: taxonomyBlocks(category: "Reporting") { name }
        children: taxonomyBlocks(parentTaxonomyId: $gaap) { name } second: taxonomyBlocks(limit: 1, offset: 1) { name } }`,
      { gaap: gaapId },
    );
    expect(all).toEqual([
      { name: 'coa', taxonomyType: 'chart_of_accounts', isLocked: false },
      { name: 'B', taxonomyType: 'reporting_extension', isLocked: false },
      { name: 'Z', taxonomyType: 'schedule', isLocked: false },
      { name: 'Forecast Drivers', taxonomyType: 'reporting_standard', isLocked: true },
      { name: 'Key Financial Metrics', taxonomyType: 'reporting_standard', isLocked: true },
      { name: 'US GAAP, curated', taxonomyType: 'reporting_standard', isLocked: true },
    ]);
    expect([reporting, children, second]).toEqual([[{ name: 'B' }], [{ name: 'B' }], [{ name: 'B' }]]);
  });

  it('rejects unknown types and invalid pages (taxonomy T-45, LB-19)', async () => {
    const bench = await Workbench.open(started.user);
    const codeOf = async (query: string) =>
      (await started.user.graphql(bench.graph, query)).body.errors[0].extensions.code;
    expect(await codeOf('{ taxonomyBlocks(taxonomyType: "mapping") { id } }')).toBe('INVALID_ARGUMENT');
    expect(await codeOf('{ taxonomyBlocks(limit: 1001) { id } }')).toBe('INVALID_PAGINATION');
  });

  it('lists the shipped standards on graph library, with their parts when requested (taxonomy T-45, T-46, LB-8)', async () => {
    const query = `query ($id: ID!) { taxonomyBlock(id: $id) { elementCount structureCount associationCount
      elements { id origin } rules { name } } }`;
    const library = new Workbench(started.user, 'library');
    const tenant = await Workbench.open(started.user);
    const { taxonomyBlocks } = await library.read('{ taxonomyBlocks { name taxonomyType standard } }');
    expect(taxonomyBlocks).toEqual([
      { name: 'Forecast Drivers', taxonomyType: 'reporting_standard', standard: 'rs-driver' },
      { name: 'Fundamental Accounting Concepts', taxonomyType: 'reporting_standard', standard: 'fac' },
      { name: 'Key Financial Metrics', taxonomyType: 'reporting_standard', standard: 'rs-metric' },
      { name: 'US GAAP, curated', taxonomyType: 'reporting_standard', standard: 'rs-gaap' },
    ]);
    const shown = await library.read(query, { id: gaapId });
    expect(shown).toEqual(await tenant.read(query, { id: gaapId }));
    const { elements, rules, ...counts } = shown.taxonomyBlock;
    expect(counts).toEqual({ elementCount: 581, structureCount: 68, associationCount: 1106 + 900 + 60 + 140 });
    expect(elements).toHaveLength(581);
    expect(elements[0].origin).toBe('library');
    expect(rules.map(({ name }: Loose) => name)).toContain('Assets = Liabilities + Equity');
  });
});
