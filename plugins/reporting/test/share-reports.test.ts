// Goal: what crosses between two graphs when a report is shared, withdrawn, blocked and deleted, and what never does.
// Method: an issuer with books and holders in organizations of their own, through the public interface; the tables of
// both sides are listed by the catalog, so that a new table is compared, too.
import { sql } from '@pacioli/core';
import { type Answer, type TestService, tableDigests } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReport, type ExampleBooks, type Loose, openExampleBooks } from './example-books.ts';
import { changedTables, type GraphUser, newHolder, rowsOfGraph, startSharing } from './sharing-graphs.ts';

let service: TestService;
let books: ExampleBooks;
let issuer: GraphUser;
let reportId: string;
let number = 0;

beforeAll(async () => {
  const started = await startSharing();
  ({ service } = started);
  books = await openExampleBooks(started.user);
  issuer = { client: started.user, graph: books.graph };
  await books.post('2026-03-10', [
    ['1000', 500, 0],
    ['3000', 0, 500],
  ]);
  await books.post('2026-04-10', [
    ['1000', 70, 0],
    ['4000', 0, 70],
  ]);
  reportId = (await createReport(books)).id;
  // As if an operator had asked for its figures (reporting P-11).
  await service.store.transaction({ graphId: books.graph }, (tx) =>
    tx.query(sql`UPDATE reporting_report SET ai_generated = true WHERE graph_id = ${books.graph} AND id = ${reportId}`),
  );
});
afterAll(async () => {
  await service.close();
});

const list = async (...targets: readonly string[]): Promise<string> => {
  number += 1;
  const { id } = await books.done('create-publish-list', { name: `List ${number}` });
  if (targets.length > 0) await books.done('add-publish-list-members', { list_id: id, target_graph_ids: targets });
  return id;
};
const share = async (listId: string, id = reportId): Promise<Loose[]> =>
  (await books.done('share-report', { publish_list_id: listId, report_id: id })).results;
const ask = async ({ client, graph }: GraphUser, text: string): Promise<Loose> => {
  const { body } = await client.graphql(graph, text);
  expect(body.errors, JSON.stringify(body.errors)).toBeUndefined();
  return body.data;
};
const call = ({ client, graph }: GraphUser, name: string, body: object) =>
  client.post(`/extensions/ledger/${graph}/operations/${name}`, body);
/** A call that is refused, after which both graphs have the same rows as before. */
const refused = async (of: GraphUser, name: string, body: object): Promise<Answer> => {
  const digests = () => Promise.all([books.graph, of.graph].map((id) => tableDigests(service.store, id)));
  const before = await digests();
  const answer = await call(of, name, body);
  expect([name, answer.status >= 400, await digests()]).toEqual([name, true, before]);
  return answer;
};
const copies = async (holder: GraphUser): Promise<Loose[]> =>
  (
    await ask(
      holder,
      '{ reports { reports { id name sourceGraphId sourceReportId sharedAt filingStatus entityName aiGenerated } } }',
    )
  ).reports.reports;

describe('share-report', () => {
  it('delivers a whole copy that the recipient reads as its own, and nothing else (investor H-10, reporting D-5)', async () => {
    const holder = await newHolder(service, 'Bo', ['investor']);
    const listId = await list(holder.graph);
    const [before, senderBefore] = [await rowsOfGraph(service, holder.graph), await rowsOfGraph(service, books.graph)];
    const results = await share(listId);
    expect(results).toEqual([
      { target_graph_id: holder.graph, status: 'shared', error: null, fact_count: expect.any(Number) },
    ]);
    expect(results[0].fact_count).toBeGreaterThan(10);

    const [copy] = await copies(holder);
    expect(copy).toMatchObject({
      sourceGraphId: books.graph,
      sourceReportId: reportId,
      entityName: 'Larkfield Tool Co.',
      aiGenerated: true,
    });
    expect(copy.id).not.toBe(reportId);
    const fields = 'rows { elementQname elementName values depth isSubtotal } periods { start end label }';
    const statement = (id: string) => `{ statement(reportId: "${id}", blockType: "balance_sheet") { ${fields} } }`;
    expect(await ask(holder, statement(copy.id))).toEqual(await books.query(statement(reportId)));
    const { entities } = await ask(holder, '{ entities(source: "linked") { id name sourceGraphId isParent } }');
    expect(entities).toMatchObject([{ name: 'Larkfield Tool Co.', sourceGraphId: books.graph, isParent: false }]);
    const items = `{ reportPackage(reportId: "${copy.id}") { sourceGraphId items { block { blockType } } } }`;
    expect((await ask(holder, items)).reportPackage.items.length).toBeGreaterThan(2);
    expect(
      (await ask(holder, `{ reportDownloadUrl(reportId: "${copy.id}") { format } }`)).reportDownloadUrl.format,
    ).toBe('jsonld');

    const after = await rowsOfGraph(service, holder.graph);
    const changed = changedTables(before, after).filter((name) => !name.startsWith('kernel_') && name !== 'core_');
    expect(changed).toEqual([
      'blocks_fact',
      'blocks_fact_set',
      'ledger_entity',
      'ledger_log',
      'reporting_report',
      'reporting_statement',
    ]);
    const text = JSON.stringify(after);
    expect(text).not.toContain(books.mappingId);
    for (const secret of ['Account 1000', 'coa:1000', 'Chart', 'To GAAP']) expect(text).not.toContain(secret);
    for (const { id } of senderBefore['taxonomy_element'] ?? []) expect(text).not.toContain(String(id));
    for (const { id } of senderBefore['ledger_entry'] ?? []) expect(text).not.toContain(String(id));
    const facts = after['blocks_fact'] ?? [];
    expect(facts).toHaveLength(results[0].fact_count);
    expect(new Set(facts.map(({ entity_id }) => entity_id))).toEqual(new Set([entities[0].id]));
    expect(new Set(facts.map(({ provenance }) => provenance))).toEqual(new Set([null]));

    const senderAfter = await rowsOfGraph(service, books.graph);
    expect(changedTables(senderBefore, senderAfter).filter((name) => !name.startsWith('kernel_'))).toEqual([
      'reporting_recent_call',
      'reporting_share',
    ]);
  });

  it('writes the file of the copy without rules, results, sources and other ids of the sender (investor H-10)', async () => {
    const holder = await newHolder(service, 'Cy', ['ledger']);
    await share(await list(holder.graph));
    const [copy] = await copies(holder);
    const answer = await holder.client.get(`/v1/graphs/${holder.graph}/reports/${copy.id}/download?format=jsonld`);
    const text = JSON.stringify(answer.body);
    expect(answer.status).toBe(200);
    expect(text).toContain(copy.id);
    const ids = new Set([...text.matchAll(/fact_[0-9A-Z]{26}/g)].map(([id]) => id));
    const copied = new Set(((await rowsOfGraph(service, holder.graph))['blocks_fact'] ?? []).map(({ id }) => id));
    expect(ids.size).toBeGreaterThan(10);
    expect([...ids].filter((id) => !copied.has(id))).toEqual([]);
    for (const secret of [reportId, books.mappingId, books.graph, 'fin:expression', 'coa:']) {
      expect(text).not.toContain(secret);
    }
  });

  it('replaces the copy and updates the share when a report is shared again (reporting D-6, investor H-7)', async () => {
    const holder = await newHolder(service, 'Di', ['ledger']);
    const listId = await list(holder.graph);
    await share(listId);
    const [first] = await copies(holder);
    await share(listId);
    const again = await copies(holder);
    expect(again).toHaveLength(1);
    expect(again[0].id).not.toBe(first.id);
    const rows = await rowsOfGraph(service, books.graph);
    expect(rows['reporting_share']?.filter((row) => row['target_graph_id'] === holder.graph)).toHaveLength(1);
    const held = await rowsOfGraph(service, holder.graph);
    expect(held['blocks_fact_set']?.every((set) => set['report_id'] === again[0].id)).toBe(true);
    expect(held['ledger_entity']?.filter((row) => row['source'] === 'linked')).toHaveLength(1);
  });

  it('answers for every member and does not stop at the first failure (reporting D-4, investor 7.2)', async () => {
    const [good, blocking, gone] = [
      await newHolder(service, 'Ed', ['ledger']),
      await newHolder(service, 'Fay', ['investor']),
      await newHolder(service, 'Gus', ['ledger']),
    ];
    expect((await call(blocking, 'block-source-graph', { source_graph_id: books.graph, reason: 'Spam' })).status).toBe(
      200,
    );
    const listId = await list(blocking.graph, gone.graph, good.graph);
    await service.store.transaction('kernel', (tx) =>
      tx.query(sql`update kernel_graph set status = 'deleted' where graph_id = ${gone.graph}`),
    );
    const results = await share(listId);
    expect(results.map(({ target_graph_id, status, error }) => [target_graph_id, status, error])).toEqual([
      [blocking.graph, 'error', 'Recipient has blocked shares from this graph.'],
      [gone.graph, 'error', `Graph '${gone.graph}' not found.`],
      [good.graph, 'shared', null],
    ]);
    expect(JSON.stringify(results)).not.toContain('Spam');
    expect(await copies(blocking)).toEqual([]);
  });

  it('limits deliveries to a recipient to 30 in an hour (investor X-3)', async () => {
    const holder = await newHolder(service, 'Hal', ['ledger']);
    const listId = await list(holder.graph);
    await service.store.transaction({ graphId: books.graph }, (tx) =>
      tx.query(sql`insert into reporting_recent_call (graph_id, id, kind, subject, called_at)
        select ${books.graph}, 'call_' || i || ${holder.graph}, 'delivery', ${holder.graph}, '2026-05-04T11:30:00Z'
        from generate_series(1, 29) i`),
    );
    expect((await share(listId))[0]).toMatchObject({ status: 'shared' });
    expect((await share(listId))[0]).toMatchObject({
      status: 'error',
      error: 'Too many deliveries to this recipient.',
    });
    expect(await copies(holder)).toHaveLength(1);
  });
});

describe('copies at the recipient', () => {
  it('cannot be changed, filed or shared on by anyone, and only an admin deletes one (reporting P-4, P-15, investor H-9)', async () => {
    const holder = await newHolder(service, 'Ivy', ['ledger']);
    await share(await list(holder.graph));
    const [copy] = await copies(holder);
    const refusal = `Report '${copy.id}' is a copy shared in from another graph; re-share from the source.`;
    for (const [name, body] of [
      ['regenerate-report', {}],
      ['file-report', {}],
      ['transition-filing-status', { target_status: 'under_review' }],
    ] as const) {
      const answer = await refused(holder, name, { report_id: copy.id, ...body });
      expect([name, answer.status, answer.body.detail]).toEqual([name, 403, refusal]);
    }
    const own = await call(holder, 'create-publish-list', { name: 'On' });
    await call(holder, 'add-publish-list-members', { list_id: own.body.result.id, target_graph_ids: [books.graph] });
    const on = await refused(holder, 'share-report', { publish_list_id: own.body.result.id, report_id: copy.id });
    expect([on.status, on.body.detail]).toEqual([403, 'Not authorized to share this report.']);

    expect((await call(holder, 'delete-report', { report_id: copy.id })).body.result).toEqual({ deleted: true });
    expect(await copies(holder)).toEqual([]);
    const revoked = await books.done('revoke-report-share', { report_id: reportId, target_graph_id: holder.graph });
    expect(revoked).toMatchObject({ copy_deleted: false });
  });

  it('are deleted although the report was filed, and the facts of the sender stay final (reporting P-16, D-10)', async () => {
    const holder = await newHolder(service, 'Jo', ['investor']);
    const filed = (await createReport(books)).id;
    await books.done('file-report', { report_id: filed });
    await share(await list(holder.graph), filed);
    expect(await copies(holder)).toMatchObject([{ filingStatus: 'filed', sourceReportId: filed }]);
    const revoked = await books.done('revoke-report-share', { report_id: filed, target_graph_id: holder.graph });
    expect(revoked).toMatchObject({ report_id: filed, target_graph_id: holder.graph, copy_deleted: true });
    expect(await copies(holder)).toEqual([]);
    const left = await rowsOfGraph(service, holder.graph);
    expect(left['blocks_fact']).toEqual([]);
    expect(left['ledger_entity']?.filter((row) => row['source'] === 'linked')).toHaveLength(1);
  });
});

describe('revoke-report-share', () => {
  it('refuses a report that is not shared, and the deletion of one that is (investor B-2, B-9)', async () => {
    const holder = await newHolder(service, 'Kim', ['ledger']);
    const draft = (await createReport(books)).id;
    const none = await refused(issuer, 'revoke-report-share', { report_id: draft, target_graph_id: holder.graph });
    expect([none.status, none.body.detail]).toEqual([
      404,
      `No active share of report '${draft}' to '${holder.graph}'.`,
    ]);
    await share(await list(holder.graph), draft);
    const kept = await refused(issuer, 'delete-report', { report_id: draft });
    expect([kept.status, kept.body.detail]).toEqual([
      409,
      `Report '${draft}' has 1 active share(s). Revoke them first.`,
    ]);
    await books.done('revoke-report-share', { report_id: draft, target_graph_id: holder.graph });
    const twice = await refused(issuer, 'revoke-report-share', { report_id: draft, target_graph_id: holder.graph });
    expect(twice.status).toBe(404);
    await books.done('delete-report', { report_id: draft });
  });
});

describe('block-source-graph', () => {
  it('blocks once, purges what was sent, and lets reports in again after unblock-source-graph (reporting D-11, investor B-3 to B-8)', async () => {
    const holder = await newHolder(service, 'Lou', ['investor']);
    const listId = await list(holder.graph);
    await share(listId);
    const [copy] = await copies(holder);
    const self = await refused(holder, 'block-source-graph', { source_graph_id: holder.graph });
    expect([self.status, self.body.detail]).toEqual([422, 'A graph cannot block itself.']);
    for (const wrong of ['northwind', 'sec', 'kg1', `${books.graph} `]) {
      const { status, body } = await refused(holder, 'block-source-graph', { source_graph_id: wrong });
      expect([status, body.detail]).toEqual([422, expect.stringContaining('must be the id of a graph')]);
    }
    const first = (await call(holder, 'block-source-graph', { source_graph_id: books.graph, reason: 'Noise' })).body
      .result;
    expect(first).toMatchObject({ already_blocked: false, purged_report_count: 0, block: { reason: 'Noise' } });
    expect(await copies(holder)).toHaveLength(1);
    const second = (
      await call(holder, 'block-source-graph', { source_graph_id: books.graph, reason: 'B', purge: true })
    ).body.result;
    expect(second).toEqual({
      block: first.block,
      already_blocked: true,
      purged_report_count: 1,
      purged_report_ids: [copy.id],
    });
    expect(await copies(holder)).toEqual([]);
    const text =
      '{ blockedSourceGraphs { blockedSourceGraphs { id sourceGraphId reason } pagination { total hasMore } } }';
    expect((await ask(holder, text)).blockedSourceGraphs).toEqual({
      blockedSourceGraphs: [{ id: first.block.id, sourceGraphId: books.graph, reason: 'Noise' }],
      pagination: { total: 1, hasMore: false },
    });
    expect((await share(listId))[0].error).toBe('Recipient has blocked shares from this graph.');
    expect((await call(holder, 'unblock-source-graph', { source_graph_id: books.graph })).status).toBe(200);
    const unknown = await refused(holder, 'unblock-source-graph', { source_graph_id: books.graph });
    expect([unknown.status, unknown.body.detail]).toEqual([404, `Graph '${books.graph}' is not blocked.`]);
    expect((await share(listId))[0].status).toBe('shared');
  });
});
