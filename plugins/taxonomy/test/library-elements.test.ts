// Goal: the library's elements and structures are the same on graph `library` and on a tenant graph.
// Method: a real service with a plugin that only owns the domain `ledger`.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cashName, type LibraryBooks, openLibraryBooks } from './library-books.ts';

let service: LibraryBooks['service'];
let user: LibraryBooks['user'];
let graphId: LibraryBooks['graphId'];
let mappingId: LibraryBooks['mappingId'];
let cashAccountId: LibraryBooks['cashAccountId'];
let cashId: LibraryBooks['cashId'];
let gaapId: LibraryBooks['gaapId'];
let readOf: LibraryBooks['readOf'];
let readBoth: LibraryBooks['readBoth'];

beforeAll(async () => {
  ({ service, user, graphId, mappingId, cashAccountId, cashId, gaapId, readOf, readBoth } = await openLibraryBooks());
});
afterAll(() => service.close());

describe('library elements', () => {
  it("lists and searches library elements together with the graph's own elements (taxonomy LB-14)", async () => {
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

  it("looks elements up among the graph's own rows first, then in the library (taxonomy LB-14, LB-15)", async () => {
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

  it('shows the elements presented below an element, in one network or in all', async () => {
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

  it('rejects trees deeper than ten levels, and returns null for an unknown root', async () => {
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

  it('returns equivalents in both directions, and null for an unknown id', async () => {
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

  it("lists the graph's own mapping arcs from both ends, in addition to the bridges", async () => {
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

  it('returns the traits of an element by category (taxonomy T-9, T-11)', async () => {
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

describe('library structures', () => {
  it('excludes structures hidden from tenants unless requested by id (taxonomy LB-9, LB-15)', async () => {
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
