import { joinTeam, type TestClient } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentsOf, openLibrary, type SearchService, startSearch, words } from './search-service.ts';

describe('documents', () => {
  let running: SearchService;
  let owner: TestClient;
  let graphId: string;
  let docs: ReturnType<typeof documentsOf>;

  beforeAll(async () => {
    running = await startSearch();
    owner = running.owner;
    graphId = await openLibrary(owner);
    docs = documentsOf(owner, graphId);
  });
  afterAll(() => running.service.close());

  it('are stored, listed, read and found by their sections (ai-surface D-14, D-31, D-32)', async () => {
    const content = `---\nowner: Ann\n---\n# Leases\n${words(30, 'lease')}\n# Debt\n${words(30, 'debt')}`;
    const result = await docs.stored({ title: 'Policies', content, tags: ['a'], folder: 'x', external_id: 'p-1' });
    const { id } = result;
    const base = `doc_${graphId}_${id}`;
    expect(result).toMatchObject({ document_id: base, sections_indexed: 2, section_ids: [`${base}_0`, `${base}_1`] });
    const read = await docs.get(id);
    expect(read.body).toMatchObject({ id, graph_id: graphId, content, tags: ['a'], folder: 'x', external_id: 'p-1' });
    expect(read.body).toMatchObject({ source_type: 'uploaded_doc', sections_indexed: 2, source_provider: null });
    const { documents, total } = await docs.list();
    expect(total).toBe(documents.length);
    expect(documents[0]).toMatchObject({ id, document_title: 'Policies', section_count: 2 });
    expect((await docs.list('?source_type=connection_doc')).documents).toEqual([]);
    const { body } = await docs.search({ query: 'debt7' });
    expect(body).toMatchObject({ total: 1, query: 'debt7', graph_id: graphId });
    expect(body.hits[0]).toMatchObject({ document_id: `${base}_1`, section_id: 'debt', folder: 'x', tags: ['a'] });
    const section = await docs.section(`${base}_1`);
    expect(section.body).toMatchObject({ section_label: 'Debt', part: 1, part_count: 1, next_document_id: null });
    expect(section.body.total_content_length).toBeUndefined();
    expect(result.total_content_length).toBe(
      (await docs.section(base)).body.content_length + section.body.content_length,
    );
  });

  it('are replaced by their external id, and keep their own (ai-surface D-11)', async () => {
    const first = await docs.stored({
      title: 'Old',
      content: 'replaced words',
      external_id: 'e',
      tags: ['t'],
      folder: 'f',
    });
    const second = await docs.stored({ title: 'New', content: 'fresh words', external_id: 'e' });
    expect(second.id).toBe(first.id);
    expect((await docs.get(first.id)).body).toMatchObject({ title: 'New', tags: null, folder: null });
    expect(await docs.found('replaced')).toEqual([]);
    expect(await docs.found('fresh')).toEqual(['New']);
  });

  it('change only in the given fields, and lose tags and folder by null (ai-surface D-13, D-21)', async () => {
    const { id } = await docs.stored({ title: 'Kept', content: 'before text', tags: ['t'], folder: 'f' });
    running.clock.advance(1_000);
    await docs.stored({ document_id: id, content: 'after text', external_id: 'ignored' });
    const changed = (await docs.get(id)).body;
    expect(changed).toMatchObject({
      title: 'Kept',
      tags: ['t'],
      folder: 'f',
      content: 'after text',
      external_id: null,
    });
    expect(changed.updated_at > changed.created_at).toBe(true);
    expect((await docs.list()).documents[0].id).toBe(id);
    await docs.stored({ document_id: id, tags: null, folder: null, title: null });
    expect((await docs.get(id)).body).toMatchObject({ title: 'Kept', tags: null, folder: null });
    await docs.stored({ document_id: id, content: '---\ntitle: Named\ntags: a, b\n---\ntext' });
    expect((await docs.get(id)).body).toMatchObject({ title: 'Named', tags: ['a', 'b'] });
    await docs.stored({ document_id: id, title: 'Given', content: '---\ntitle: Named\n---\ntext matters' });
    expect((await docs.get(id)).body.title).toBe('Given');
    expect(await docs.found('matters')).toEqual(['Named']);
  });

  it('are stored without the values of front matter that PostgreSQL cannot store (ai-surface D-21)', async () => {
    for (const [at, written] of ['\\0', '\\uD800'].entries()) {
      const bad = `"a${written}"`;
      const content = `---\ntitle: ${bad}\nfolder: ${bad}\ntags: [${bad}]\nother: ${bad}\n---\nescaped${at} text`;
      const { id } = await docs.stored({ title: 'Plain', content });
      expect((await docs.get(id)).body).toMatchObject({ title: 'Plain', content, folder: null, tags: null });
      expect((await docs.search({ query: `escaped${at}` })).body.hits).toMatchObject([
        { document_title: 'Plain', section_label: 'Plain', folder: null, tags: null },
      ]);
    }
  });

  it('are deleted with their sections (ai-surface D-30)', async () => {
    const { id, document_id: base } = await docs.stored({ title: 'Gone', content: 'vanishing words' });
    const deleted = await docs.remove(id);
    expect(deleted.body.result).toEqual({ document_id: id, deleted: true });
    expect(await docs.found('vanishing')).toEqual([]);
    for (const answer of [await docs.get(id), await docs.section(base), await docs.remove(id)]) {
      expect([answer.status, answer.body.detail]).toEqual([404, 'Document not found']);
    }
    expect((await docs.index({ document_id: id, title: 'x' })).status).toBe(404);
  });

  it('are read and changed by any id of a search, but not deleted by that of a passage (ai-surface D-13, D-30, D-31)', async () => {
    const {
      id,
      document_id: base,
      section_ids: [entry],
    } = await docs.stored({ title: 'Ids', content: 'plain words' });
    for (const known of [id, base, entry]) {
      expect((await docs.get(known)).body).toMatchObject({ id, title: 'Ids' });
      expect((await docs.index({ document_id: known, folder: known })).body.result).toMatchObject({
        id,
        document_id: base,
      });
      expect((await docs.get(id)).body.folder).toBe(known);
    }
    expect((await docs.remove(entry)).status).toBe(404);
    expect((await docs.remove(base)).body.result).toEqual({ document_id: id, deleted: true });
    expect((await docs.get(base)).status).toBe(404);
  });

  it('are unknown by an id with U+0000, as by any other (ai-surface D-31)', async () => {
    for (const answer of [await docs.get('%00'), await docs.get('a%00b'), await docs.section('a\0b')]) {
      expect([answer.status, answer.body.detail]).toEqual([404, 'Document not found']);
    }
  });

  it.each([
    ['no title', { content: 'x' }, 'title and content are required to create a document'],
    ['a blank title', { title: ' ', content: 'x' }, 'title and content are required to create a document'],
    ['no content', { title: 'x' }, 'title and content are required to create a document'],
    ['blank content', { title: 'x', content: ' \n' }, 'Document produced no indexable sections'],
    ['front matter alone', { title: 'x', content: '---\na: 1\n---\n' }, 'Document produced no indexable sections'],
    ['a long title', { title: 'x'.repeat(501), content: 'x' }, 'title has 501 characters; it may have at most 500.'],
    [
      'long content',
      { title: 'x', content: 'x'.repeat(500_001) },
      'content has 500001 characters; it may have at most 500000.',
    ],
    [
      'a long folder',
      { title: 'x', content: 'x', folder: 'x'.repeat(201) },
      'folder has 201 characters; it may have at most 200.',
    ],
    [
      'a long external id',
      { title: 'x', content: 'x', external_id: 'x'.repeat(257) },
      'external_id has 257 characters; it may have at most 256.',
    ],
    [
      'an empty external id',
      { title: 'x', content: 'x', external_id: '' },
      'external_id must not be blank; leave it out for a document without one.',
    ],
    [
      'a blank external id',
      { title: 'x', content: 'x', external_id: ' \n' },
      'external_id must not be blank; leave it out for a document without one.',
    ],
    [
      'a long tag',
      { title: 'x', content: 'x', tags: ['x'.repeat(101)] },
      'tags[0] has 101 characters; it may have at most 100.',
    ],
    [
      'many tags',
      { title: 'x', content: 'x', tags: Array(51).fill('x') },
      'tags has 51 entries; a document has at most 50.',
    ],
  ])('are refused with %s, and nothing is stored (ai-surface D-10)', async (_what, body, detail) => {
    const before = await docs.list();
    const answer = await docs.index(body);
    expect([answer.status, answer.body.detail]).toEqual([422, detail]);
    expect(await docs.list()).toEqual(before);
  });

  it('may have exactly as much as the limits, also in characters outside of the basic plane (ai-surface D-10)', async () => {
    const full = {
      title: '😀'.repeat(500),
      content: `limitword ${'word '.repeat(99_998)}`,
      folder: 'x'.repeat(200),
      external_id: 'x'.repeat(256),
      tags: Array.from({ length: 50 }, (_tag, at) => `${at}`.padEnd(100, 'x')),
    };
    expect(full.content).toHaveLength(500_000);
    const { id, sections_indexed: sections } = await docs.stored(full);
    expect(sections).toBe(63);
    expect((await docs.get(id)).body).toMatchObject(full);
    expect((await docs.search({ query: 'limitword' })).body.hits[0]).toMatchObject({ part: 1, part_count: 63 });
    await docs.remove(id);
  });

  it('have lengths in characters, also outside of the basic plane (ai-surface D-10, D-14)', async () => {
    const stored = await docs.stored({ title: 'Signs', content: '😀😀 signs' });
    expect(stored.total_content_length).toBe(8);
    expect((await docs.section(stored.document_id)).body.content_length).toBe(8);
    await docs.remove(stored.id);
  });

  it('survive ten thousand headings with one name (ai-surface D-25, D-26)', async () => {
    const section = `# Same\n${words(20)}\n`;
    const { id, sections_indexed: sections } = await docs.stored({ title: 'Flood', content: section.repeat(2_500) });
    expect(sections).toBe(2_500);
    const last = await docs.search({ query: 'word19', section: 'same-2500' });
    expect(last.body.total).toBe(1);
    const { sections_indexed: joined } = await docs.stored({ document_id: id, content: '# Same\nx\n'.repeat(10_000) });
    expect(joined).toBeGreaterThan(0);
    expect((await docs.search({ query: 'word19' })).body.total).toBe(0);
    await docs.remove(id);
  });

  it('are refused at the cap of the tier, except those that replace one (ai-surface D-12)', async () => {
    const small = documentsOf(owner, await openLibrary(owner, 'Small'));
    const create = (at: number) => small.index({ title: `D${at}`, content: 'text', external_id: `e${at}` });
    for (let at = 0; at < 99; at += 1) expect((await create(at)).status).toBe(200);
    const last = await Promise.all([create(99), create(100), create(101)]);
    expect(last.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    const refused = last.find(({ status }) => status === 422);
    expect(refused?.body.detail).toBe('Document limit reached (100/100). Upgrade your plan for more capacity.');
    expect(refused?.body.code).toBe('DOCUMENT_LIMIT_REACHED');
    expect((await create(0)).status).toBe(200);
    expect((await owner.get(`/v1/graphs/${small.graphId}/limits`)).body.documents).toEqual({
      current_count: 100,
      approaching_limit: true,
      max_documents: 100,
    });
  });

  it('are written once for a repeated request with its key (ai-surface D-10)', async () => {
    const key = { 'idempotency-key': 'once' };
    const [first, again] = [
      await docs.index({ title: 'Once', content: 'oncely' }, key),
      await docs.index({ title: 'Once', content: 'oncely' }, key),
    ];
    expect(again.body.result).toEqual(first.body.result);
    expect(await docs.found('oncely')).toEqual(['Once']);
  });

  it('are read but not written by viewers, and unknown to strangers (ai-surface D-3, SR-3)', async () => {
    const { id, document_id: base } = await docs.stored({ title: 'Mine', content: 'confidential words' });
    const member = await joinTeam(running.service, owner);
    const shared = await owner.post(`/v1/graphs/${graphId}/members`, { user_id: member.userId, role: 'viewer' });
    expect(shared.status).toBeLessThan(300);
    const viewer = documentsOf(member.client, graphId);
    expect((await viewer.get(id)).status).toBe(200);
    expect(await viewer.found('confidential')).toEqual(['Mine']);
    expect((await viewer.index({ title: 'x', content: 'x' })).status).toBe(403);
    expect((await viewer.remove(id)).status).toBe(403);
    const stranger = await running.service.newUser('Eve');
    const outside = documentsOf(stranger, graphId);
    for (const call of [outside.get(id), outside.search({ query: 'x' }), outside.section(base), outside.remove(id)])
      expect((await call).status).toBe(403);
    const own = documentsOf(stranger, await openLibrary(stranger, 'Other'));
    for (const call of [own.get(id), own.section(base), own.section(`${base}_0`), own.remove(id)])
      expect((await call).status).toBe(404);
    expect((await own.index({ document_id: id, title: 'Taken' })).status).toBe(404);
    expect(await own.found('confidential')).toEqual([]);
    expect((await docs.get(id)).body.title).toBe('Mine');
  });

  it('of a subgraph are its own, and a new subgraph of its name has none (ai-surface D-33, SR-3, graphs SG-13)', async () => {
    const operation = (name: string, body: object) => owner.post(`/v1/graphs/${graphId}/operations/${name}`, body);
    await operation('create-subgraph', { name: 'sub', display_name: 'Sub' });
    const sub = documentsOf(owner, `${graphId}_sub`);
    await docs.stored({ title: 'Parent', content: 'uncommon words' });
    const { id } = await sub.stored({ title: 'Child', content: 'uncommon words' });
    expect(await sub.found('uncommon')).toEqual(['Child']);
    expect(await docs.found('uncommon')).toEqual(['Parent']);
    expect((await docs.get(id)).status).toBe(404);
    const deleted = await operation('delete-subgraph', { subgraph_name: 'sub', force: true });
    expect(deleted.status).toBe(200);
    await operation('create-subgraph', { name: 'sub', display_name: 'Again' });
    expect(await sub.found('uncommon')).toEqual([]);
    expect((await sub.list()).documents).toEqual([]);
    await sub.stored({ title: 'Second', content: 'uncommon words' });
    expect(await sub.found('uncommon')).toEqual(['Second']);
    expect(await docs.found('uncommon')).toEqual(['Parent']);
  });
});
