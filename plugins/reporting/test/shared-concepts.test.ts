// Goal: concepts of the sender's own extension cross with a report that cites them, and charts never do.
// Method: a report with a fact on an extension concept in a structure of the extension, shared with two graphs, of which
// one has taken the name of the concept already.
import { factStore } from '@pacioli/blocks';
import type { TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReport, type ExampleBooks, type Loose, openExampleBooks } from './example-books.ts';
import { type GraphUser, newHolder, rowsOfGraph, startSharing } from './sharing-graphs.ts';

let service: TestService;
let books: ExampleBooks;
let gaapId: string;
beforeAll(async () => {
  const started = await startSharing();
  ({ service } = started);
  books = await openExampleBooks(started.user);
  await books.post('2026-03-10', [
    ['1000', 500, 0],
    ['3000', 0, 500],
  ]);
  const { body } = await started.user.graphql('library', '{ libraryTaxonomy(standard: "rs-gaap") { id } }');
  gaapId = body.data.libraryTaxonomy.id;
});
afterAll(async () => {
  await service.close();
});

const extension = (name: string) => ({
  name,
  taxonomy_type: 'reporting_extension',
  parent_taxonomy_id: gaapId,
  elements: ['Backlog', 'Orders'].map((local) => ({
    qname: `acme:${local}`,
    name: local,
    trait: 'asset',
    balance_type: 'debit',
    period_type: 'instant',
    ...(local === 'Orders' ? { parent_ref: 'acme:Backlog' } : {}),
  })),
});

const elementsOf = async (holder: GraphUser): Promise<Loose[]> =>
  [...((await rowsOfGraph(service, holder.graph))['taxonomy_element'] ?? [])].sort((a, b) =>
    String(a['qname']) < String(b['qname']) ? -1 : 1,
  );

describe('concepts of a shared report', () => {
  it('bring their whole extension, locked, and skip names that are taken (reporting D-7, D-8, investor H-17 to H-19)', async () => {
    const own = await books.done('create-taxonomy-block', extension('Order book'));
    const idOf = (qname: string): string => own.elements.find((each: Loose) => each.qname === qname).id;
    const { id: reportId } = await createReport(books);
    const entityId = (await books.query('{ entity { id } }')).entity.id;
    await service.store.transaction({ graphId: books.graph }, async (tx) => {
      const facts = service.service.services.resolve(factStore);
      const now = new Date('2026-05-04T12:00:00Z');
      const setId = await facts.createSet(tx, {
        structureId: null,
        entityId,
        periodStart: '2026-04-01',
        periodEnd: '2026-04-30',
        factsetType: 'report',
        reportId,
        scenarioId: null,
        provenance: null,
        createdBy: 'ada',
        now,
      });
      const fact = { periodStart: null, periodEnd: '2026-04-30', periodType: 'instant', unit: 'USD' } as const;
      await facts.addFacts(tx, setId, [{ ...fact, elementId: idOf('acme:Orders'), value: '12345.67' }], now);
    });
    const [plain, taken] = [await newHolder(service, 'Bo', ['investor']), await newHolder(service, 'Cy', ['ledger'])];
    const before = await taken.client.post(`/extensions/ledger/${taken.graph}/operations/create-taxonomy-block`, {
      ...extension('Mine'),
    });
    expect(before.status, JSON.stringify(before.body)).toBe(200);
    const { id: listId } = await books.done('create-publish-list', { name: 'All' });
    const targets = [plain.graph, taken.graph];
    await books.done('add-publish-list-members', { list_id: listId, target_graph_ids: targets });
    for (let time = 0; time < 2; time += 1) {
      const { results } = await books.done('share-report', { publish_list_id: listId, report_id: reportId });
      expect(results.map(({ status, error }: Loose) => [status, error])).toEqual([
        ['shared', null],
        ['shared', null],
      ]);
    }

    const linked = await elementsOf(plain);
    expect(linked.map(({ id, qname, source, parent_id }) => ({ id, qname, source, parent_id }))).toEqual([
      { id: idOf('acme:Backlog'), qname: 'acme:Backlog', source: 'linked', parent_id: null },
      { id: idOf('acme:Orders'), qname: 'acme:Orders', source: 'linked', parent_id: idOf('acme:Backlog') },
    ]);
    const rows = await rowsOfGraph(service, plain.graph);
    expect(rows['taxonomy_taxonomy']).toMatchObject([
      { id: own.id, is_locked: true, metadata: { source_graph_id: books.graph }, parent_taxonomy_id: gaapId },
    ]);
    const sets = rows['blocks_fact_set']?.filter((set) => set['structure_id'] === null);
    expect(sets).toMatchObject([{ provenance: { origin: 'asserted', source_system: 'cross_graph_share' } }]);
    const facts = rows['blocks_fact']?.filter((fact) => fact['fact_set_id'] === sets?.[0]?.['id']);
    expect(facts).toMatchObject([{ element_id: idOf('acme:Orders'), value: 12345.67 }]);

    // The names are taken there: the facts arrive, the concepts do not.
    const kept = await elementsOf(taken);
    expect(kept.filter(({ source }) => source === 'linked')).toEqual([]);
    expect(kept.map(({ id }) => id)).not.toContain(idOf('acme:Orders'));
    const there = await rowsOfGraph(service, taken.graph);
    expect(there['blocks_fact']?.some((fact) => fact['element_id'] === idOf('acme:Orders'))).toBe(true);
    expect(JSON.stringify(there)).not.toContain('coa:1000');
  });
});
