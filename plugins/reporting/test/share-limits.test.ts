// Goal: each limit of what is shared admits a report at the limit and refuses one past it (investor X-2).
// Method: the facts, concepts and bytes of one report are counted by a share without limits; the settings, which the
// service reads at each share, are then set to each count and to one less.
import { factStore } from '@pacioli/blocks';
import { kernel, provide, sql } from '@pacioli/core';
import type { TestClient, TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { config } from '../src/config.ts';
import type { ReportingReport } from '../src/rows.gen.ts';
import { createReport, type ExampleBooks, type Loose, openExampleBooks, startReporting } from './example-books.ts';
import { newHolder } from './sharing-graphs.ts';

const shipped = { maxSharedFacts: 200_000, maxSharedConcepts: 20_000, maxSharedFileBytes: 64 * 1024 * 1024 };
const others = { fileGate: true, bundleValidation: 'warn', vocabularyBase: 'https://vocab.example.org' } as const;
const settings = { ...others, ...shipped, maxFactsSharedAtOnce: 20_000 };

let service: TestService;
let books: ExampleBooks;
let listId: string;
let reportId: string;
/** The size of the report that is shared. */
let size: typeof shipped;
beforeAll(async () => {
  const started = await startReporting({}, { override: [provide(config.token, { create: () => settings })] });
  ({ service } = started);
  books = await openExampleBooks(started.user);
  await books.post('2026-03-10', [
    ['1000', 500, 0],
    ['3000', 0, 500],
  ]);
  const own = await books.done('create-taxonomy-block', await extension(started.user));
  reportId = (await createReport(books)).id;
  await addFact(own.elements[0].id);
  const holder = await newHolder(service, 'Bo', ['ledger']);
  listId = (await books.done('create-publish-list', { name: 'Holders' })).id;
  await books.done('add-publish-list-members', { list_id: listId, target_graph_ids: [holder.graph] });
  const shared = await share();
  expect(shared).toMatchObject({ status: 'shared' });
  const file = await service.service.services.resolve(kernel.fileStore).info(await bundleKey());
  size = { maxSharedFacts: shared.fact_count, maxSharedConcepts: 2, maxSharedFileBytes: file?.bytes ?? 0 };
  expect(size.maxSharedFacts).toBeGreaterThan(5);
  expect(size.maxSharedFileBytes).toBeGreaterThan(1_000);
});
afterAll(async () => {
  await service.close();
});

/** Two concepts, of which a fact of the report cites one; an extension crosses whole. */
async function extension(client: TestClient): Promise<object> {
  const { body } = await client.graphql('library', '{ libraryTaxonomy(standard: "rs-gaap") { id } }');
  const trait = { trait: 'asset', balance_type: 'debit', period_type: 'instant' };
  return {
    name: 'Order book',
    taxonomy_type: 'reporting_extension',
    parent_taxonomy_id: body.data.libraryTaxonomy.id,
    elements: ['Backlog', 'Orders'].map((local) => ({ qname: `acme:${local}`, name: local, ...trait })),
  };
}

async function addFact(elementId: string): Promise<void> {
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
    await facts.addFacts(tx, setId, [{ ...fact, elementId, value: '12345.67' }], now);
  });
}

async function bundleKey(): Promise<string> {
  const rows = await service.store.transaction({ graphId: books.graph }, (tx) =>
    tx.query(sql<Pick<ReportingReport, 'bundle_key'>>`select bundle_key from reporting_report where id = ${reportId}`),
  );
  return rows[0]?.bundle_key ?? '';
}

/** Adds sets without facts to the report until it has this many. */
async function addSetsUpTo(count: number): Promise<void> {
  const entityId = (await books.query('{ entity { id } }')).entity.id;
  await service.store.transaction({ graphId: books.graph }, async (tx) => {
    const facts = service.service.services.resolve(factStore);
    const present = await facts.sets(tx, { reportId, scenario: 'actuals' });
    const set = {
      structureId: null,
      entityId,
      periodStart: '2026-04-01',
      periodEnd: '2026-04-30',
      factsetType: 'report' as const,
      reportId,
      scenarioId: null,
      provenance: null,
      createdBy: 'ada',
      now: new Date('2026-05-04T12:00:00Z'),
    };
    await facts.createSets(
      tx,
      Array.from({ length: count - present.length }, () => set),
    );
  });
}

const share = async (): Promise<Loose> =>
  (await books.done('share-report', { publish_list_id: listId, report_id: reportId })).results[0];

describe('share-report', () => {
  it('shares a report whose facts, concepts and file are at their limits (investor X-2)', async () => {
    Object.assign(settings, size);
    expect(await share()).toMatchObject({ status: 'shared', fact_count: size.maxSharedFacts });
  });

  it.each(['maxSharedFacts', 'maxSharedConcepts', 'maxSharedFileBytes'] as const)(
    'refuses a report that is one past %s, and keeps the copy that was shared before (investor X-2)',
    async (limit) => {
      Object.assign(settings, size, { [limit]: size[limit] - 1 });
      expect(await share()).toMatchObject({ status: 'error', error: 'Report is too large to share.', fact_count: 0 });
      Object.assign(settings, size);
      expect(await share()).toMatchObject({ status: 'shared', fact_count: size.maxSharedFacts });
    },
  );

  it('shares a report of 1,000 fact sets, and refuses one of 1,001 (investor X-2)', async () => {
    await addSetsUpTo(1_000);
    expect(await share()).toMatchObject({ status: 'shared', fact_count: size.maxSharedFacts });
    await addSetsUpTo(1_001);
    expect(await share()).toMatchObject({ status: 'error', error: 'Report is too large to share.' });
  });
});
