/** @module-tag sessions */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type ChosenEmbedder,
  chosenEmbedder,
  type GraphMemory,
  type MemoryTestService,
  memoryOf,
  refusalOf,
  startMemory,
} from '../../test/memory-service.ts';

const [near, far] = ['The office invoices in euros.', 'The office invoices in francs.'];

let run: MemoryTestService;
let embedder: ChosenEmbedder;
let memory: GraphMemory;
let made = 0;
beforeAll(async () => {
  embedder = chosenEmbedder({ [near]: 0.9, [far]: 0.1, 'the OFFICE invoices in euros.': 0.8 });
  run = await startMemory({ embedder });
});
afterAll(() => run.service.close());
beforeEach(async () => {
  made += 1;
  memory = memoryOf(run.owner, await run.owner.createGraph(`Changes ${made}`, []));
  embedder.calls.length = 0;
});

const everything = { memory_type: 'fact', tags: ['a'], source_ref: 'doc_1', provenance: { importance: 1 } };

describe('update-memory', () => {
  it('changes only what is given; source, author and time of creation stay (ME-6)', async () => {
    const before = (await memory.remember(near, { ...everything, source: 'mcp' })).body.result;
    run.clock.advance(1_000);
    const { status, body } = await memory.update(before.id, { tags: ['b'], source: 'api' });
    expect(status).toBe(200);
    expect(body.result).toEqual({ ...before, tags: ['b'], updated_at: run.clock.now().toISOString() });
    expect((await memory.get(before.id)).body).toEqual(body.result);
  });

  it('clears tags, source_ref and provenance by null, and keeps text and type (ME-6)', async () => {
    const before = (await memory.remember(near, everything)).body.result;
    const nothing = { text: null, memory_type: null, tags: null, source_ref: null, provenance: null };
    const { body } = await memory.update(before.id, nothing);
    expect(body.result).toMatchObject({ ...nothing, text: near, memory_type: 'fact' });
  });

  it('changes nothing without a change, the time included (ME-6)', async () => {
    const before = (await memory.remember(near)).body.result;
    run.clock.advance(1_000);
    expect((await memory.update(before.id, {})).body.result).toEqual(before);
  });

  it('embeds a changed text anew and no other (ME-6)', async () => {
    const { id } = (await memory.remember(near)).body.result;
    expect((await memory.recall('invoices')).body.hits).toMatchObject([
      { document_id: id, score: expect.closeTo(0.9, 5) },
    ]);
    embedder.calls.length = 0;
    await memory.update(id, { tags: ['b'] });
    expect(embedder.calls).toEqual([]);
    // The same text for the check of repetitions, but not for the embedder.
    await memory.update(id, { text: 'the OFFICE invoices in euros.' });
    expect((await memory.recall('invoices')).body.hits).toMatchObject([{ score: expect.closeTo(0.8, 5) }]);
    await memory.update(id, { text: far });
    expect((await memory.recall('invoices')).body.hits).toEqual([]);
  });

  it('rejects an unknown id (ME-6)', async () => {
    const refused = await memory.update(`mem_${'0'.repeat(32)}`, { text: 'Nothing' });
    expect([...refusalOf(refused), refused.body.code]).toEqual([404, 'Memory not found', 'NOT_FOUND']);
  });

  it('rejects the text and type of another memory and changes nothing (ME-6, ME-12)', async () => {
    const first = (await memory.remember(near)).body.result;
    const second = (await memory.remember(far)).body.result;
    const fact = (await memory.remember(near, { memory_type: 'fact' })).body.result;
    for (const [id, changes] of [
      [second.id, { text: near.toUpperCase(), tags: ['b'] }],
      [fact.id, { memory_type: 'note' }],
    ] as const) {
      const refused = await memory.update(id, changes);
      expect([refused.status, refused.body.code]).toEqual([409, 'ALREADY_EXISTS']);
      expect(refused.body.detail).toContain(first.id);
    }
    expect((await memory.get(second.id)).body).toEqual(second);
    // Its own text is no repetition.
    expect((await memory.update(first.id, { text: near.toUpperCase() })).status).toBe(200);
    // The first memory no longer has this text, so that another one may have it.
    await memory.update(first.id, { text: 'Something else' });
    expect((await memory.remember(near)).body.result.id).not.toBe(first.id);
  });

  it.each([
    ['text', { text: ' ' }],
    ['text', { text: 'x'.repeat(10_001) }],
    ['memory_type', { memory_type: '' }],
    ['tags', { tags: Array.from({ length: 21 }, (_, n) => `t${n}`) }],
    ['source_ref', { source_ref: 'x'.repeat(2_049) }],
    ['provenance', { provenance: { x: 'x'.repeat(8_192) } }],
  ])('rejects %s outside of its limits and changes nothing (ME-4)', async (field, changes) => {
    const before = (await memory.remember(near)).body.result;
    const refused = await memory.update(before.id, changes);
    expect(refusalOf(refused)).toEqual([422, expect.stringMatching(new RegExp(`^${field}: `))]);
    expect((await memory.get(before.id)).body).toEqual(before);
  });

  it('applies two changes at once to the same memory, one after the other (ME-6)', async () => {
    const { id } = (await memory.remember(near)).body.result;
    await Promise.all([memory.update(id, { tags: ['b'] }), memory.update(id, { source_ref: 'doc_2' })]);
    expect((await memory.get(id)).body).toMatchObject({ tags: ['b'], source_ref: 'doc_2' });
  });
});

const key = `rfs${'7e'.repeat(32)}`;

describe('the guard against secrets', () => {
  it.each([
    ['the text', { text: `The key is ${key}` }],
    ['a tag', { tags: [key.slice(0, 40)] }],
    ['the type', { memory_type: key.slice(0, 40) }],
    ['source_ref', { source_ref: 'postgres://reader:s3cret@db.example/books' }],
    ['a value of provenance', { provenance: { from: [{ card: '4111 1111 1111 1111' }] } }],
    ['a number of provenance', { provenance: { card: 4_111_111_111_111_111 } }],
    ['a password of provenance, known by its name', { provenance: { from: { db_password: 'hunter2xyz' } } }],
    ['a number of provenance, known by its name', { provenance: { password: 12_345_678 } }],
    ['a list of provenance, known by its name', { provenance: { api_key: [{ values: ['abc12345'] }] } }],
    ['a name of provenance', { provenance: { [key]: true } }],
  ])('refuses %s on remember and on update, and stores nothing (ME-14)', async (_case, texts) => {
    const stored = (await memory.remember(near)).body.result;
    for (const refused of [await memory.remember(far, texts), await memory.update(stored.id, texts)]) {
      expect([...refusalOf(refused), refused.body.code]).toEqual([
        422,
        'Memory text looks like a credential.',
        'CREDENTIAL_IN_MEMORY',
      ]);
      expect(JSON.stringify(refused.body)).not.toContain(key);
    }
    expect((await memory.list()).body.memories).toEqual([stored]);
  });

  it('refuses a source on remember (ME-14)', async () => {
    expect(refusalOf(await memory.remember(near, { source: key.slice(0, 40) }))[0]).toBe(422);
  });
});
