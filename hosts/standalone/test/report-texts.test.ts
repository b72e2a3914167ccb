// Goal: a search finds the texts of published reports and of copies shared in, as they are now, and nobody else's.
// Method: books and holders of copies in a real service; texts are documents that are bound to a disclosure. The index is
// LanceDB, which a test can make fail; the jobs are run at once.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import blocks from '@pacioli/blocks';
import { type Caller, type Job, sql, toolCatalog } from '@pacioli/core';
import { silentLog } from '@pacioli/core/assembly';
import graph from '@pacioli/graph';
import ledger from '@pacioli/ledger';
import reporting from '@pacioli/reporting';
import search from '@pacioli/search';
import { lanceSearchIndex } from '@pacioli/search-lancedb';
import taxonomy from '@pacioli/taxonomy';
import { fixedClock, startTestService, type TestClient, type TestService, teamSettings } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  april,
  createReport,
  type ExampleBooks,
  type Loose,
  openExampleBooks,
} from '../../../plugins/reporting/test/example-books.ts';
import { type BrokenIndex, breakable } from '../../../plugins/search/test/search-service.ts';

const clock = fixedClock('2026-05-04T12:00:00Z');
const signal = new AbortController().signal;

let folder: string;
let index: BrokenIndex;
let service: TestService;
let user: TestClient;
let books: ExampleBooks;
let structureId: string;
let documents = 0;

/** A graph, and one who reads it. */
interface Reader {
  readonly client: TestClient;
  readonly graph: string;
}
let issuer: Reader;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pacioli-report-texts-'));
  index = breakable(lanceSearchIndex({ folder }));
  service = await startTestService({
    plugins: [graph, taxonomy, blocks, ledger, reporting.with({ bundleValidation: 'off' }), search],
    clock,
    searchIndex: index,
    log: silentLog,
    worker: false,
    settings: { ...teamSettings, orgs: { ...teamSettings.orgs, maxGraphs: -1 } },
  });
  // The tests run the jobs themselves.
  await service.store.transaction('kernel', (tx) =>
    tx.query(sql`INSERT INTO kernel_schedule (job, next_at)
      SELECT name, '2099-01-01'::timestamptz FROM unnest(${search.jobs.map(({ name }) => name)}::text[]) AS job (name)`),
  );
  await service.service.startWorker();
  user = await service.newUser('Ada');
  books = await openExampleBooks(user);
  issuer = { client: user, graph: books.graph };
  await books.post('2026-04-10', [
    ['1000', 500, 0],
    ['3000', 0, 500],
  ]);
  structureId = await authorPolicies();
});
afterAll(async () => {
  await service.close();
  await index.close();
  await rm(folder, { recursive: true, force: true });
});

async function authorPolicies(): Promise<string> {
  const { body } = await user.graphql('library', '{ libraryTaxonomy(standard: "rs-gaap") { id } }');
  const concept = { trait: 'asset', balance_type: 'debit', period_type: 'duration', is_monetary: false };
  const result = await books.done('create-taxonomy-block', {
    name: 'Notes',
    taxonomy_type: 'reporting_extension',
    parent_taxonomy_id: body.data.libraryTaxonomy.id,
    elements: [
      { ...concept, qname: 'acme:Header', name: 'Header', element_type: 'abstract' },
      { ...concept, qname: 'acme:Revenue', name: 'Revenue policy' },
      { ...concept, qname: 'acme:Leases', name: 'Lease policy' },
    ],
    structures: [
      { name: 'Policies, in brief', block_type: 'regulatory_disclosure', concept_arrangement: 'level2_textblock' },
    ],
    associations: ['acme:Revenue', 'acme:Leases'].map((toRef, orderValue) => ({
      structure_ref: 'Policies, in brief',
      from_ref: 'acme:Header',
      to_ref: toRef,
      association_type: 'presentation',
      order_value: orderValue,
    })),
  });
  return result.structures[0].id;
}

/** Binds a text to an element for April, from a document that is deleted afterwards, so that only reports have it. */
async function bind(text: string, element = 'acme:Revenue'): Promise<void> {
  const path = `/v1/graphs/${books.graph}/operations`;
  documents += 1;
  const { body } = await user.post(`${path}/index-document`, { title: `Document ${documents}`, content: text });
  const bound = await books.operation('bind-text-block', {
    document_id: body.result.id,
    structure_id: structureId,
    element_qname: element,
    period_start: april.period_start,
    period_end: april.period_end,
  });
  expect(bound.status, JSON.stringify(bound.body)).toBe(200);
  await user.post(`${path}/delete-document`, { document_id: body.result.id });
}

const hitsOf = async (query: string, filter: object = {}, reader = issuer): Promise<Loose[]> => {
  const answer = await reader.client.post(`/v1/graphs/${reader.graph}/search`, { query, ...filter });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.hits;
};
/** The titles of the reports that a search finds. */
const found = async (...call: Parameters<typeof hitsOf>): Promise<string[]> =>
  (await hitsOf(...call)).map(({ document_title: title }) => title).sort();

async function newHolder(name: string): Promise<Reader> {
  const client = await service.newUser(name);
  return { client, graph: await client.createGraph(`${name}'s graph`, ['ledger']) };
}

async function share(reportId: string, holder: Reader): Promise<void> {
  documents += 1;
  const { id } = await books.done('create-publish-list', { name: `List ${documents}` });
  await books.done('add-publish-list-members', { list_id: id, target_graph_ids: [holder.graph] });
  const { results } = await books.done('share-report', { publish_list_id: id, report_id: reportId });
  expect(results).toMatchObject([{ status: 'shared' }]);
}

const runJob = async (name: string, payload?: object): Promise<void> => {
  const job = search.jobs.find((each) => each.name === name) as Job;
  const use = service.service.services.useFor(job.services);
  await job.handle({ payload, use, ctx: { store: service.store, signal, log: silentLog, now: () => clock.now() } });
};

describe('the texts of a published report', () => {
  it('are found by element, section, source, entity and year, and read (ai-surface 2.1, SR-2)', async () => {
    await bind('Tolls are recognized when the bridge is crossed.');
    await bind('Moorings are leased by the tide.', 'acme:Leases');
    expect(await found('bridge moorings')).toEqual([]);
    const { id } = await createReport(books, { name: 'Found' });
    const [hit, ...others] = await hitsOf('bridge');
    expect(others).toEqual([]);
    expect(hit).toMatchObject({
      document_id: `doc_${books.graph}_${id}_0`,
      source_type: 'xbrl_textblock',
      document_title: 'Found',
      element_qname: 'acme:Revenue',
      section_id: 'policies-in-brief',
      section_label: 'Policies, in brief',
      entity_name: 'Larkfield Tool Co.',
      fiscal_year: 2026,
      filing_date: null,
    });
    const matching = { element: 'acme:Revenue', section: 'policies-in-brief', source_type: 'xbrl_textblock' };
    expect(await found('bridge', { ...matching, entity: 'larkfield', fiscal_year: 2026 })).toEqual(['Found']);
    expect(await found('bridge moorings', { element: 'acme:Leases' })).toEqual(['Found']);
    for (const other of [
      { element: 'acme:Other' },
      { section: 'bank' },
      { source_type: 'uploaded_doc' },
      { fiscal_year: 2025 },
    ])
      expect(await found('bridge', other), JSON.stringify(other)).toEqual([]);
    const section = await user.get(`/v1/graphs/${books.graph}/search/${hit.document_id}`);
    expect(section.body).toMatchObject({
      content: 'Tolls are recognized when the bridge is crossed.',
      accession_number: id,
      fiscal_period: null,
    });
  });

  it('are found and read by the tools of search, as text that is not to be trusted (ai-surface PX-3)', async () => {
    const me = (await user.get('/v1/user')).body;
    const caller: Caller = { userId: me.id, email: '', name: me.name, credential: 'jwt' };
    const catalog = service.service.services.resolve(toolCatalog);
    const call = async (name: string, given: object): Promise<Loose> => {
      const { text } = await catalog.call({
        caller,
        graphId: books.graph,
        name,
        arguments: given,
        source: 'mcp',
        signal,
      });
      return JSON.parse(text);
    };
    const { hits } = await call('search-documents', { query: 'tide', element: 'acme:Leases' });
    expect(hits).toMatchObject([{ document_title: 'Found', untrusted: true }]);
    const read = await call('get-document-section', { document_id: hits[0].document_id });
    expect(read).toMatchObject({ content: 'Moorings are leased by the tide.', untrusted: true });
  });

  it('are nobody else’s (ai-surface SR-3)', async () => {
    const stranger = await newHolder('Sam');
    expect(await found('bridge moorings tide', {}, stranger)).toEqual([]);
    const [hit] = await hitsOf('bridge');
    const path = `/v1/graphs/${stranger.graph}/search/${hit.document_id}`;
    expect((await stranger.client.get(path)).status).toBe(404);
    expect((await stranger.client.post(`/v1/graphs/${books.graph}/search`, { query: 'bridge' })).status).toBe(403);
  });

  it('follow it when it is generated anew, filed, restated, archived and deleted (ai-surface SR-22)', async () => {
    await bind('Original wording about lanterns.');
    const first = await createReport(books, { name: 'First' });
    expect(await found('lanterns')).toEqual(['First']);
    await bind('Corrected wording about candles.');
    expect(await found('lanterns')).toEqual(['First']);
    await books.done('regenerate-report', { report_id: first.id });
    expect([await found('lanterns'), await found('candles')]).toEqual([[], ['First']]);

    await books.done('file-report', { report_id: first.id });
    const filed = { date_from: '2026-05-04', date_to: '2026-05-04' };
    expect(await hitsOf('candles', filed)).toMatchObject([{ document_title: 'First', filing_date: '2026-05-04' }]);
    await bind('Restated wording about sconces.');
    const second = await createReport(books, { name: 'Second', supersedes_id: first.id });
    expect(await found('candles sconces')).toEqual(['First', 'Second']);
    await books.done('file-report', { report_id: second.id });
    expect(await found('candles sconces')).toEqual(['Second']);
    await books.done('transition-filing-status', { report_id: second.id, target_status: 'archived' });
    expect(await found('candles sconces')).toEqual([]);

    const third = await createReport(books, { name: 'Third' });
    expect(await found('sconces')).toEqual(['Third']);
    await books.done('delete-report', { report_id: third.id });
    expect(await found('sconces')).toEqual([]);
  });
});

describe('the texts of a copy', () => {
  it('are found in the graph of the recipient until the share is withdrawn (ai-surface SR-22, reporting D-5, D-10)', async () => {
    await bind('Ferries are depreciated over twenty winters.');
    const { id } = await createReport(books, { name: 'Shared' });
    const [holder, other] = [await newHolder('Bo'), await newHolder('Cy')];
    expect(await found('winters', {}, holder)).toEqual([]);
    await share(id, holder);
    const filter = { element: 'acme:Revenue', section: 'policies-in-brief', entity: 'larkfield' };
    const [hit] = await hitsOf('winters', filter, holder);
    expect(hit).toMatchObject({
      document_title: 'Shared',
      source_type: 'xbrl_textblock',
      section_label: 'Policies, in brief',
    });
    expect(JSON.stringify(hit)).not.toContain(id);
    expect(await found('winters', {}, other)).toEqual([]);

    await bind('Ferries are depreciated over thirty summers.');
    await books.done('regenerate-report', { report_id: id });
    expect(await found('winters summers', {}, holder)).toEqual(['Shared']);
    expect(await found('summers', {}, holder)).toEqual([]);
    await share(id, holder);
    expect([await found('winters', {}, holder), await found('summers', {}, holder)]).toEqual([[], ['Shared']]);

    await books.done('revoke-report-share', { report_id: id, target_graph_id: holder.graph });
    expect(await found('ferries winters summers', {}, holder)).toEqual([]);
    expect(await found('summers')).toEqual(['Shared']);
  });

  it('are gone when the recipient purges the source, or deletes the copy (reporting D-11, P-15)', async () => {
    await bind('Barges are painted in spring.');
    const { id } = await createReport(books, { name: 'Purged' });
    const [holder, other] = [await newHolder('Di'), await newHolder('Ed')];
    for (const each of [holder, other]) {
      await share(id, each);
      expect(await found('barges', {}, each)).toEqual(['Purged']);
    }
    const call = ({ client, graph: graphId }: Reader, name: string, body: object) =>
      client.post(`/extensions/ledger/${graphId}/operations/${name}`, body);
    await call(holder, 'block-source-graph', { source_graph_id: books.graph, purge: true });
    expect(await found('barges', {}, holder)).toEqual([]);
    const { body } = await other.client.graphql(other.graph, '{ reports { reports { id } } }');
    await call(other, 'delete-report', { report_id: body.data.reports.reports[0].id });
    expect(await found('barges', {}, other)).toEqual([]);
  });
});

describe('an index that fails', () => {
  it('does not stop reports, and gets their texts by the job (ai-surface D-15, SR-22)', async () => {
    await bind('Sails are sewn in the loft.');
    index.isDown = true;
    const kept = await createReport(books, { name: 'Kept' });
    const removed = await createReport(books, { name: 'Removed' });
    await runJob('index-changed-texts', { graph_id: books.graph });
    await books.done('delete-report', { report_id: removed.id });
    expect((await user.post(`/v1/graphs/${books.graph}/search`, { query: 'loft' })).status).toBe(503);
    index.isDown = false;
    clock.advance(16 * 60_000);
    await runJob('resolve-pending-documents');
    const entries = await index.entries(
      books.graph,
      [kept, removed].map(({ id }) => `doc_${books.graph}_${id}_0`),
      { signal },
    );
    expect(entries.map(({ documentTitle }) => documentTitle)).toEqual(['Kept']);
    expect(entries[0]?.embeddingModel).not.toBeNull();
    expect(await found('loft')).toEqual(['Kept']);
  });

  it('is filled again from the reports when its folder is lost (ai-surface 1.1)', async () => {
    await bind('Anchors are weighed twice.');
    await createReport(books, { name: 'Rebuilt' });
    expect(await found('anchors')).toEqual(['Rebuilt']);
    await index.deleteGraph(books.graph, { signal });
    await service.store.transaction({ graphId: books.graph }, (tx) =>
      tx.query(sql`DELETE FROM search_listed_text WHERE graph_id = ${books.graph}`),
    );
    await found('anchors');
    await runJob('index-changed-texts', { graph_id: books.graph });
    expect(await found('anchors')).toEqual(['Rebuilt']);
  });
});
