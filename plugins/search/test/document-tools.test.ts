import { type Caller, sql, type ToolCall, toolCatalog } from '@pacioli/core';
import { joinTeam, type TestClient } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, openLibrary, type SearchService, startSearch, words } from './search-service.ts';

/** Tools are called as the MCP endpoint and the operators call them. */
describe('the tools of documents', () => {
  let running: SearchService;
  let graphId: string;
  let owner: Caller;
  let viewer: Caller;
  let stranger: Caller;

  beforeAll(async () => {
    running = await startSearch();
    graphId = await openLibrary(running.owner);
    owner = await callerOf(running.owner);
    const { client, userId } = await joinTeam(running.service, running.owner);
    await running.owner.post(`/v1/graphs/${graphId}/members`, { user_id: userId, role: 'viewer' });
    viewer = await callerOf(client);
    stranger = await callerOf(await running.service.newUser('Sam'));
  });
  afterAll(() => running.service.close());

  const catalog = () => running.service.service.services.resolve(toolCatalog);
  const namesFor = async (caller: Caller) => (await catalog().list({ caller, graphId })).map(({ name }) => name);
  const call = (name: string, given: object, more: Partial<ToolCall> = {}) =>
    catalog().call({
      caller: owner,
      graphId,
      name,
      arguments: given,
      source: 'mcp',
      signal: new AbortController().signal,
      ...more,
    });
  const done = async (name: string, given: object, more: Partial<ToolCall> = {}): Promise<Loose> => {
    const { text, isError } = await call(name, given, more);
    if (isError) throw new Error(text);
    return JSON.parse(text);
  };

  it('read for viewers, and write only for members (ai-surface M-30)', async () => {
    const reads = ['get-document', 'get-document-section', 'list-documents', 'read-document-file', 'search-documents'];
    const writes = ['create-document', 'delete-document', 'update-document'];
    expect(await namesFor(owner)).toEqual(expect.arrayContaining([...reads, ...writes]));
    const seen = await namesFor(viewer);
    expect(seen).toEqual(expect.arrayContaining(reads));
    expect(seen.filter((name) => writes.includes(name))).toEqual([]);
    const update = { document_id: 'doc_1', title: 'Mine' };
    expect(await call('update-document', update, { caller: viewer })).toMatchObject({ code: 'not_available' });
  });

  it('create, find, read, change and delete a document (ai-surface 5.2, 5.3)', async () => {
    const content = `# Leases\n${words(30, 'lease')}\n# Debt\n${words(30, 'debt')}`;
    const made = await done('create-document', { title: 'Policies', content, folder: 'policies', tags: ['a'] });
    const found = await done('search-documents', { query: 'debt7' }, { caller: viewer });
    expect(found).toMatchObject({ total: 1, hits: [{ document_title: 'Policies', section_id: 'debt' }] });
    expect(found.hits[0].untrusted).toBeUndefined();
    const hitId = found.hits[0].document_id;
    const section = await done('get-document-section', { document_id: hitId }, { caller: viewer });
    expect(section).toMatchObject({ section_label: 'Debt', next_document_id: null });
    // A model may pass the id of a hit where a document is meant.
    for (const id of [made.id, made.document_id, hitId])
      expect(await done('get-document', { document_id: id }, { caller: viewer })).toMatchObject({
        id: made.id,
        content,
      });
    const changed = await done('update-document', { document_id: hitId, content: `# Cash\n${words(30, 'cash')}` });
    expect(changed).toMatchObject({ id: made.id, sections_indexed: 1 });
    expect((await done('search-documents', { query: 'debt7' })).hits).toEqual([]);
    await done('update-document', { document_id: made.id, tags: null, folder: null, title: 'Cash policy' });
    expect(await done('get-document', { document_id: made.id })).toMatchObject({
      title: 'Cash policy',
      tags: null,
      folder: null,
      content: expect.stringContaining('# Cash'),
    });
    expect(await done('delete-document', { document_id: made.id })).toMatchObject({ deleted: true });
    expect(await call('get-document', { document_id: made.id })).toMatchObject({ code: 'not_found' });
    expect(await call('update-document', { document_id: made.id, title: 'Gone' })).toMatchObject({ code: 'not_found' });
  });

  it('refuse arguments that they do not have, and a change of nothing (ai-surface 14)', async () => {
    const codes = await Promise.all([
      call('create-document', { document_id: 'doc_1', title: 'T', content: 'C' }),
      call('update-document', { document_id: 'doc_1' }),
      call('update-document', { document_id: 'doc_1', title: null }),
      call('update-document', { document_id: 'doc_1', external_id: 'x' }),
      call('update-document', { document_id: 'doc_1', title: 'x'.repeat(501) }),
      call('search-documents', { query: '' }),
      call('search-documents', { query: 'x', size: 51 }),
      call('search-documents', { query: 'x', snippet_chars: 4_000 }),
    ]);
    expect(codes.map(({ code }) => code)).toEqual(Array(8).fill('invalid_input'));
  });

  it('refuse other tenants, by their graph and by an id (graphs I-3)', async () => {
    const { id } = await done('create-document', { title: 'Ours', content: words(30, 'ours') });
    for (const [name, given] of [
      ['search-documents', { query: 'ours1' }],
      ['get-document', { document_id: id }],
      ['list-documents', {}],
      ['read-document-file', { path: 'Ours' }],
      ['update-document', { document_id: id, title: 'Theirs' }],
    ] as const)
      expect(await call(name, given, { caller: stranger })).toMatchObject({ isError: true, code: 'forbidden' });
    const other = await openLibrary(running.owner, 'Other');
    expect(await call('get-document', { document_id: id }, { graphId: other })).toMatchObject({ code: 'not_found' });
    const file = { path: 'Ours' };
    expect(await call('read-document-file', file, { graphId: other })).toMatchObject({ code: 'not_found' });
    const section = { document_id: `doc_${graphId}_${id}` };
    expect(await call('get-document-section', section, { graphId: other })).toMatchObject({ code: 'not_found' });
    expect((await done('search-documents', { query: 'ours1' }, { graphId: other })).hits).toEqual([]);
  });

  it('audit a change with the caller and its surface (ai-surface M-15)', async () => {
    const { id } = await done('create-document', { title: 'Audited', content: words(30) }, { source: 'operator' });
    await done('update-document', { document_id: id, title: 'Audited again' });
    await call('update-document', { document_id: 'doc_none', title: 'None' });
    const rows = await running.service.store.transaction('kernel', (tx) =>
      tx.query(sql<{ operation: string; surface: string; status: string; user_id: string }>`
        SELECT operation, surface, status, user_id FROM kernel_operation_audit ORDER BY operation_id DESC LIMIT 3`),
    );
    expect([...rows].reverse()).toEqual([
      { operation: 'index-document', surface: 'operator', status: 'completed', user_id: owner.userId },
      { operation: 'update-document', surface: 'mcp', status: 'completed', user_id: owner.userId },
      { operation: 'update-document', surface: 'mcp', status: 'refused', user_id: owner.userId },
    ]);
  });

  it('list the newest documents up to a limit and say that there are more (ai-surface 5.4)', async () => {
    const many = await openLibrary(running.owner, 'Many');
    const insert = (from: number, to: number) =>
      running.service.store.transaction({ graphId: many }, (tx) =>
        tx.query(sql`INSERT INTO search_document
            (graph_id, document_id, user_id, title, content, folder, source_type, index_state, created_at, updated_at)
          SELECT ${many}, 'doc_' || n, ${owner.userId}, 'Document ' || n, 'Text', 'f' || n % 2, 'connection_doc',
            'indexed', now(), now() FROM generate_series(${from}::int, ${to}::int) AS n`),
      );
    await insert(1, 200);
    const whole = await done('list-documents', {}, { graphId: many });
    expect([whole.total, whole.documents.length, whole.truncated]).toEqual([200, 200, false]);
    await insert(201, 201);
    const cut = await done('list-documents', {}, { graphId: many });
    expect([cut.total, cut.documents.length, cut.truncated]).toEqual([200, 200, true]);
    expect((await done('list-documents', { folder: 'f0' }, { graphId: many })).total).toBe(100);
    expect((await done('list-documents', { source_type: 'uploaded_doc' }, { graphId: many })).total).toBe(0);
    // Text of a connector may tell a model to act (ai-surface PX-3).
    expect(await done('get-document', { document_id: 'doc_1' }, { graphId: many })).toMatchObject({ untrusted: true });
  });

  it('only search and read passages on a shared repository (ai-surface D-1, M-51)', async () => {
    const repository = await openLibrary(running.owner, 'Filings');
    await running.service.store.transaction('kernel', (tx) =>
      tx.query(sql`UPDATE kernel_graph SET graph_type = 'repository' WHERE graph_id = ${repository}`),
    );
    const tools = await catalog().list({ caller: owner, graphId: repository });
    expect(tools.map(({ name }) => name).filter((name) => name.includes('document'))).toEqual([
      'get-document-section',
      'search-documents',
    ]);
    expect((await done('search-documents', { query: 'debt' }, { graphId: repository })).hits).toEqual([]);
    expect(await call('list-documents', {}, { graphId: repository })).toMatchObject({ code: 'not_available' });
  });

  it('read a document by its folder and title or its external id, as a file (ai-surface D-34)', async () => {
    const read = (path: string) => call('read-document-file', { path }, { caller: viewer });
    const text = words(30, 'lease');
    const made = await done('create-document', { title: 'Leases.md', content: text, folder: '/rules/2026/' });
    const file = { id: made.id, path: 'rules/2026/Leases.md', content: text, next_offset: null };
    for (const path of ['rules/2026/Leases.md', '/rules/2026/Leases.md', './rules/2026/Leases.md'])
      expect(JSON.parse((await read(path)).text)).toMatchObject(file);
    for (const path of ['Leases.md', 'rules/2026', 'rules/2026/leases.md', 'x'.repeat(701)])
      expect((await read(path)).code).toBe('not_found');
    for (const path of ['', 'x'.repeat(702)]) expect((await read(path)).code).toBe('invalid_input');
    // An external id is unique, so it comes before folder and title.
    const synced = { title: 'Synced', content: words(30), external_id: 'rules/2026/Leases.md' };
    const { id } = await done('create-document', synced);
    expect(JSON.parse((await read('rules/2026/Leases.md')).text)).toMatchObject({ id, path: 'Synced' });
    expect((await done('read-document-file', { path: 'Synced' })).id).toBe(id);
    const second = await done('create-document', { title: 'Synced', content: words(30) });
    const refused = await read('Synced');
    expect(refused).toMatchObject({ code: 'ambiguous_path' });
    expect(JSON.parse(refused.text).details.document_ids.sort()).toEqual([id, second.id].sort());
  });

  it('read a long document in parts that end with its last character (ai-surface D-34)', async () => {
    const content = `# Long\n${'"\u{1f4d6}\n'.repeat(20_001)}`.trimEnd();
    const size = [...content].length;
    await done('create-document', { title: 'Parts', content });
    let [text, offset] = ['', 0];
    const offsets: number[] = [];
    while (offset !== null) {
      const part = await call('read-document-file', { path: 'Parts', offset });
      expect(part.truncated).toBeUndefined();
      const read = JSON.parse(part.text);
      expect(read.total_characters).toBe(size);
      text += read.content;
      offsets.push(offset);
      offset = read.next_offset;
    }
    expect([text === content, offsets]).toEqual([true, [0, 30_000, 60_000]]);
    expect(await done('read-document-file', { path: 'Parts', offset: 500_000 })).toMatchObject({ content: '' });
    expect((await call('read-document-file', { path: 'Parts', offset: 500_001 })).code).toBe('invalid_input');
  });

  it('cut the text of a long document and say so (ai-surface 5.4)', async () => {
    const { id } = await done('create-document', { title: 'Long', content: words(40_000) });
    const read = await call('get-document', { document_id: id });
    expect(read.truncated).toBe(true);
    expect(read.text.slice(200_000)).toMatch(/^… \[truncated; \d+ chars total\]$/);
  });
});

describe('the tools of documents while search is switched off', () => {
  it('do not exist (ai-surface M-30)', async () => {
    const { default: search } = await import('../src/index.ts');
    const { default: graph } = await import('@pacioli/graph');
    const running = await startSearch({ plugins: [graph, search.with({ enabled: false })] });
    const graphId = await openLibrary(running.owner);
    const caller = await callerOf(running.owner);
    const tools = await running.service.service.services.resolve(toolCatalog).list({ caller, graphId });
    expect(tools.map(({ name }) => name).filter((name) => name.includes('document'))).toEqual([]);
    await running.service.close();
  });
});

async function callerOf(client: TestClient): Promise<Caller> {
  const { id, name } = (await client.get('/v1/user')).body;
  return { userId: id, email: '', name, credential: 'jwt' };
}
