// Goal: who may do what with publish lists and shares, with the text of every refusal, which changes nothing.
// Method: an issuer with a colleague and a viewer, and holders in organizations of their own. The rows of the graph in all
// tables are compared before and after each refusal; only calls that add members are counted (investor L-3).
import { contribute, definePlugin, sql } from '@pacioli/core';
import { declaredSources } from '@pacioli/ledger';
import { joinTeam, type TestClient, type TestService, tableDigests } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReport, type ExampleBooks, type Loose, openExampleBooks } from './example-books.ts';
import { withReportLocked } from './observed-store.ts';
import { type GraphUser, newHolder, startSharing } from './sharing-graphs.ts';

const declared = new Set<string>();
const holdings = definePlugin({
  name: 'declaring',
  title: 'Declares sources',
  version: '0.1.0',
  kernel: '^0.1.0',
  dependsOn: ['ledger'],
  contributions: [
    contribute(declaredSources, 'declaring', {
      create: () => ({ declares: async (_tx, sourceGraphId) => declared.has(sourceGraphId) }),
    }),
  ],
});

let service: TestService;
let books: ExampleBooks;
let colleague: TestClient;
let holder: GraphUser;
let reportId: string;

beforeAll(async () => {
  const started = await startSharing(holdings);
  ({ service } = started);
  books = await openExampleBooks(started.user);
  await books.post('2026-03-10', [
    ['1000', 500, 0],
    ['3000', 0, 500],
  ]);
  reportId = (await createReport(books)).id;
  const joined = await joinTeam(service, started.user);
  colleague = joined.client;
  const granted = await started.user.post(`/v1/graphs/${books.graph}/members`, {
    user_id: joined.userId,
    role: 'member',
  });
  expect(granted.status).toBe(201);
  holder = await newHolder(service, 'Bo', ['ledger']);
});
afterAll(async () => {
  await service.close();
});

const digests = () => tableDigests(service.store, books.graph, { except: ['reporting_recent_call'] });
/** The status and the text of a refusal, after which the graph has the same rows as before. */
const refused = async (name: string, body: object, client?: TestClient): Promise<readonly [number, string]> => {
  const before = await digests();
  const answer = await books.operation(name, body, client);
  expect([name, answer.status, await digests()]).toEqual([name, expect.toSatisfy((status) => status >= 400), before]);
  return [answer.status, answer.body.detail];
};
const newList = async (name: string): Promise<string> => (await books.done('create-publish-list', { name })).id;
const detail = async (id: string): Promise<Loose> =>
  (
    await books.query(`{ publishList(listId: "${id}") { name description memberCount members {
    id targetGraphId targetGraphName targetOrgName } } }`)
  ).publishList;

describe('create-publish-list', () => {
  it('trims the name, which is unique in the graph (reporting D-1)', async () => {
    const made = await books.done('create-publish-list', { name: '  Lenders ', description: 'Banks' });
    expect(made).toMatchObject({ name: 'Lenders', description: 'Banks', member_count: 0 });
    expect(made.id).toMatch(/^pl_/);
    expect(await refused('create-publish-list', { name: 'Lenders' })).toEqual([
      409,
      'A publish list with this name already exists.',
    ]);
    for (const name of ['', '  ', 'x'.repeat(256)]) {
      expect(await refused('create-publish-list', { name })).toEqual([422, 'name: give 1 to 255 characters.']);
    }
    expect((await books.done('create-publish-list', { name: 'x'.repeat(255) })).name).toHaveLength(255);
    const described = (length: number) => ({ name: `Of ${length}`, description: 'd'.repeat(length) });
    expect(await refused('create-publish-list', described(4_001))).toEqual([
      422,
      'description: give at most 4000 characters.',
    ]);
    expect((await books.done('create-publish-list', described(4_000))).description).toHaveLength(4_000);
  });

  it('makes 1,000 lists in a graph, and refuses one more (reporting D-12)', async () => {
    await service.store.transaction({ graphId: books.graph }, async (tx) => {
      await tx.query(sql`insert into reporting_publish_list (graph_id, id, name, created_by, created_at, updated_at)
        select ${books.graph}, 'pl_filler_' || n, 'Filler ' || n, 'test', now(), now()
        from generate_series(1, 999 - (select count(*) from reporting_publish_list where graph_id = ${books.graph})) n`);
    });
    await newList('The thousandth');
    expect(await refused('create-publish-list', { name: 'One more' })).toEqual([
      422,
      'A graph has at most 1000 publish lists.',
    ]);
    await service.store.transaction({ graphId: books.graph }, (tx) =>
      tx.query(sql`delete from reporting_publish_list where name like 'Filler %'`),
    );
  });
});

it.each([
  ['update-publish-list', { name: 'A' }],
  ['delete-publish-list', {}],
  ['add-publish-list-members', { target_graph_ids: ['kg0a'] }],
  ['remove-publish-list-member', { member_id: 'plm_none' }],
])('%s answers 404 for a list that the graph does not have (reporting D-1)', async (name, body) => {
  expect(await refused(name, { list_id: 'pl_none', ...body })).toEqual([404, 'Publish list not found.']);
});

describe('update-publish-list', () => {
  it('leaves absent fields unchanged, clears the description with empty text, and is for the creator alone (reporting D-1)', async () => {
    const { id } = await books.done('create-publish-list', { name: 'Board', description: 'Directors' });
    const other = await newList('Owners');
    expect(await books.done('update-publish-list', { list_id: id, name: 'The board' })).toMatchObject({
      name: 'The board',
      description: 'Directors',
    });
    expect((await books.done('update-publish-list', { list_id: id, description: '' })).description).toBeNull();
    expect(await refused('update-publish-list', { list_id: id, name: null })).toEqual([
      400,
      'No fields provided for update.',
    ]);
    expect(await refused('update-publish-list', { list_id: other, name: 'The board' })).toEqual([
      409,
      'A publish list with this name already exists.',
    ]);
    for (const [name, body] of [
      ['update-publish-list', { name: 'A' }],
      ['delete-publish-list', {}],
      ['add-publish-list-members', { target_graph_ids: [holder.graph] }],
      ['remove-publish-list-member', { member_id: 'plm_none' }],
    ] as const) {
      expect([name, ...(await refused(name, { list_id: id, ...body }, colleague))]).toEqual([
        name,
        403,
        'Not authorized to modify this publish list.',
      ]);
    }
  });
});

describe('add-publish-list-members', () => {
  it('adds all graphs or none, and names those that are wrong (reporting D-2, investor L-1)', async () => {
    const id = await newList('Members');
    const bare = await newHolder(service, 'Cy', []);
    const add = (...targets: readonly string[]) =>
      refused('add-publish-list-members', { list_id: id, target_graph_ids: targets });
    expect(await add(holder.graph, 'kg0b', 'kg0a')).toEqual([404, 'Graph(s) not found: kg0a, kg0b']);
    expect(await add(holder.graph, bare.graph)).toEqual([
      422,
      'Target graph has no extensions schema — it must have one of: roboledger, roboinvestor.',
    ]);
    expect(await add(books.graph)).toEqual([422, 'A graph cannot be a member of its own publish list.']);
    expect(await add(holder.graph, holder.graph)).toEqual([409, `Already in this list: ${holder.graph}`]);
    expect((await detail(id)).memberCount).toBe(0);
    const [member] = await books.done('add-publish-list-members', { list_id: id, target_graph_ids: [holder.graph] });
    expect(member).toMatchObject({ target_graph_id: holder.graph, target_graph_name: null, target_org_name: null });
    expect(await add(holder.graph)).toEqual([409, `Already in this list: ${holder.graph}`]);

    expect(await refused('remove-publish-list-member', { list_id: id, member_id: 'plm_none' })).toEqual([
      404,
      'Publish list member not found.',
    ]);
    await books.done('remove-publish-list-member', { list_id: id, member_id: member.id });
    expect((await detail(id)).members).toEqual([]);
  });

  it('takes 100 ids in a call and 500 members in a list, and refuses one more (reporting D-2, D-12)', async () => {
    const id = await newList('Many');
    const ids = (count: number) => Array.from({ length: count }, (_, n) => `kg0${n}`);
    const add = (targets: readonly string[]) =>
      refused('add-publish-list-members', { list_id: id, target_graph_ids: targets });
    expect((await add(ids(101)))[0]).toBe(422);
    expect((await add([]))[0]).toBe(422);
    expect(await add(ids(100))).toEqual([404, expect.stringMatching(/^Graph\(s\) not found: /)]);
    await service.store.transaction({ graphId: books.graph }, (tx) =>
      tx.query(sql`insert into reporting_publish_list_member (graph_id, id, list_id, target_graph_id, added_by, added_at)
        select ${books.graph}, 'plm_filler_' || n, ${id}, 'kg0' || n, 'test', now() from generate_series(1, 499) n`),
    );
    const other = await newHolder(service, 'Jo', ['ledger']);
    await books.done('add-publish-list-members', { list_id: id, target_graph_ids: [holder.graph] });
    expect(await add([other.graph])).toEqual([422, 'A publish list has at most 500 members. Use several lists.']);
  });

  it('shows the names of a graph only after it accepted a report (investor L-3)', async () => {
    const id = await newList('Names');
    const other = await newHolder(service, 'Di', ['ledger']);
    await books.done('add-publish-list-members', { list_id: id, target_graph_ids: [other.graph] });
    expect((await detail(id)).members).toMatchObject([{ targetGraphName: null, targetOrgName: null }]);
    await books.done('share-report', { publish_list_id: id, report_id: reportId });
    const [member] = (await detail(id)).members;
    expect(member.targetGraphName).toBe("Di's graph");
    expect(member.targetOrgName).not.toBeNull();
  });

  it('admits 60 calls of a user in an hour, refused ones included (investor L-3)', async () => {
    const id = await newList('Probe');
    await service.store.transaction({ graphId: books.graph }, (tx) =>
      tx.query(sql`update reporting_recent_call set called_at = '2026-05-04T11:30:00Z' where kind = 'addition'`),
    );
    let status = 404;
    let calls = 0;
    for (; status === 404 && calls < 61; calls += 1) {
      [status] = await refused('add-publish-list-members', { list_id: id, target_graph_ids: ['kg0a'] });
    }
    expect(status).toBe(429);
    await service.store.transaction({ graphId: books.graph }, async (tx) => {
      const rows = await tx.query(sql<object>`select from reporting_recent_call where kind = 'addition'`);
      expect(rows).toHaveLength(60);
      await tx.query(sql`delete from reporting_recent_call where kind = 'addition'`);
    });
  });
});

describe('publishLists', () => {
  it('lists by name, in pages that count all (reporting D-1)', async () => {
    const text =
      '{ publishLists(limit: 2, offset: 1) { publishLists { name } pagination { total limit offset hasMore } } }';
    const { publishLists } = await books.query(text);
    const all = (await books.query('{ publishLists { publishLists { name } pagination { total } } }')).publishLists;
    const names = all.publishLists.map(({ name }: Loose) => name);
    expect(publishLists.publishLists).toEqual(names.slice(1, 3).map((name: string) => ({ name })));
    expect(publishLists.pagination).toEqual({ total: names.length, limit: 2, offset: 1, hasMore: true });
    expect(await detail('pl_none')).toBeNull();
    const { id } = await books.done('create-publish-list', { name: 'Gone' });
    expect(await books.done('delete-publish-list', { list_id: id })).toEqual({ deleted: true });
    expect(await detail(id)).toBeNull();
  });
});

describe('share-report', () => {
  it('refuses each report and list that the sender may not use with its own text (reporting D-3, investor 7.2)', async () => {
    const empty = await newList('Empty');
    const full = await newList('Full');
    await books.done('add-publish-list-members', { list_id: full, target_graph_ids: [holder.graph] });
    const share = (listId: string, report: string, client?: TestClient) =>
      refused('share-report', { publish_list_id: listId, report_id: report }, client);
    expect(await share('pl_none', reportId)).toEqual([404, 'Publish list not found.']);
    expect(await share(empty, reportId)).toEqual([422, 'Publish list has no members.']);
    expect(await share(full, 'rpt_none')).toEqual([404, "Report 'rpt_none' not found."]);
    expect(await share(full, reportId, colleague)).toEqual([403, 'Not authorized to share this report.']);
    expect(await withReportLocked(service, { graphId: books.graph, reportId }, () => share(full, reportId))).toEqual([
      409,
      `Report '${reportId}' is being written by another process. Retry in a moment.`,
    ]);
    await service.store.transaction({ graphId: books.graph }, (tx) =>
      tx.query(sql`update reporting_report set generation_status = 'failed' where id = ${reportId}`),
    );
    expect(await share(full, reportId)).toEqual([422, 'Only published reports can be shared.']);
    await service.store.transaction({ graphId: books.graph }, (tx) =>
      tx.query(sql`update reporting_report set generation_status = 'published' where id = ${reportId}`),
    );
    const shared = await books.done('share-report', { publish_list_id: full, report_id: reportId });
    expect(shared.results[0].status).toBe('shared');
    const revoke = { report_id: reportId, target_graph_id: holder.graph };
    expect(await refused('revoke-report-share', revoke, colleague)).toEqual([
      403,
      `Only the author of report '${reportId}' or an admin can do this.`,
    ]);
    await books.done('revoke-report-share', revoke);
  });
});

describe('update-share-settings', () => {
  it('refuses senders with the text of a block, so that the setting is not revealed (investor X-7)', async () => {
    const id = await newList('Setting');
    const other = await newHolder(service, 'Fay', ['investor']);
    await books.done('add-publish-list-members', { list_id: id, target_graph_ids: [other.graph] });
    const set = (body: object) =>
      other.client.post(`/extensions/ledger/${other.graph}/operations/update-share-settings`, body);
    const outcome = async (): Promise<Loose> =>
      (await books.done('share-report', { publish_list_id: id, report_id: reportId })).results[0];
    const keptOut = { status: 'error', error: 'Recipient has blocked shares from this graph.' };
    const before = await tableDigests(service.store, other.graph);
    const nothing = await set({});
    expect([nothing.status, nothing.body.detail]).toEqual([400, 'No fields provided for update.']);
    expect((await set({ accept_shares: 'friends' })).status).toBe(422);
    expect(await tableDigests(service.store, other.graph)).toEqual(before);
    expect((await set({ accept_shares: 'nobody' })).body.result).toEqual({
      accept_shares: 'nobody',
      allowed_source_graph_ids: [],
    });
    expect(await outcome()).toMatchObject(keptOut);
    await set({ accept_shares: 'declared' });
    expect(await outcome()).toMatchObject(keptOut);
    await set({ allowed_source_graph_ids: [books.graph] });
    expect(await outcome()).toMatchObject({ status: 'shared' });
    await set({ allowed_source_graph_ids: [] });
    expect(await outcome()).toMatchObject(keptOut);
    declared.add(books.graph);
    expect(await outcome()).toMatchObject({ status: 'shared' });
    declared.clear();
  });
});
