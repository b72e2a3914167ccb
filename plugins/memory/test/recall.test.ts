/** @module-tag sessions */
import { type RawBuilder, sql } from '@pacioli/core';
import { silentLog } from '@pacioli/core/assembly';
import { hashEmbedder } from '@pacioli/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import embedMemories from '../src/jobs/embed-memories.ts';
import type { MemoryRecord } from '../src/rows.gen.ts';
import {
  type ChosenEmbedder,
  chosenEmbedder,
  type GraphMemory,
  type MemoryTestService,
  memoryOf,
  startMemory,
} from './memory-service.ts';

const hourMs = 3_600_000;
const dayMs = 86_400_000;

/** Texts by the cosine that each has with every query. */
const cosines = {
  'a decision': 0.62,
  'a fact': 0.7,
  'a threshold': 0.16,
  'below the threshold': 0.14,
  'the opposite': -0.9,
};

let run: MemoryTestService;
let embedder: ChosenEmbedder;
let graph: string;
let memory: GraphMemory;
let made = 0;
beforeAll(async () => {
  embedder = chosenEmbedder(cosines);
  run = await startMemory({ embedder, log: silentLog });
  // Each test runs the job itself.
  await run.service.store.transaction('kernel', (tx) =>
    tx.query(sql`
      INSERT INTO kernel_schedule (job, next_at) VALUES ('embed-memories', '2099-01-01')
      ON CONFLICT (job) DO UPDATE SET next_at = EXCLUDED.next_at`),
  );
});
afterAll(() => run.service.close());
beforeEach(async () => {
  made += 1;
  graph = await run.owner.createGraph(`Recall ${made}`, []);
  memory = memoryOf(run.owner, graph);
});
afterEach(() => {
  embedder.isDown = false;
  embedder.isWrong = false;
  embedder.refused = undefined;
  embedder.model = 'chosen-1';
});

const idsOf = (body: { readonly hits: readonly { readonly document_id: string }[] }) =>
  body.hits.map((hit) => hit.document_id);
const scoresOf = (body: { readonly hits: readonly { readonly score: number }[] }) => body.hits.map((hit) => hit.score);

describe('recall-memory', () => {
  it('returns whole texts in the shape of a search, best first, above the threshold (ME-9, ME-10)', async () => {
    for (const text of Object.keys(cosines)) await memory.remember(text, { tags: ['t'] });
    const { status, body } = await memory.recall('  anything ');
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 3, query: 'anything', graph_id: expect.stringMatching(/^kg/) });
    expect(body.hits).toEqual(
      ['a fact', 'a decision', 'a threshold'].map((snippet) => ({
        document_id: expect.stringMatching(/^mem_/),
        source_type: 'memory',
        snippet,
        score: expect.any(Number),
        content_length: snippet.length,
        part: 1,
        part_count: 1,
        tags: ['t'],
      })),
    );
    expect(scoresOf(body)).toEqual([0.7, 0.62, 0.16].map((score) => expect.closeTo(score, 5)));
    expect(JSON.stringify(body)).not.toContain('vector');
  });

  it('filters by type and source, and limits the hits (ME-4, ME-9)', async () => {
    const fact = (await memory.remember('a fact', { memory_type: 'fact', source: 'mcp' })).body.result.id;
    const decision = (await memory.remember('a decision', { source: 'mcp' })).body.result.id;
    const filtered = async (more: object) => idsOf((await memory.recall('anything', more)).body);
    expect(await filtered({ memory_type: 'fact' })).toEqual([fact]);
    expect(await filtered({ source: 'mcp' })).toEqual([fact, decision]);
    expect(await filtered({ source: 'mcp', memory_type: 'note' })).toEqual([decision]);
    expect(await filtered({ source: "mc_' OR true --" })).toEqual([]);
    expect(await filtered({ k: 1 })).toEqual([fact]);
  });

  it.each([
    ['an empty query', { query: ' ' }, /^query: /],
    ['a query of 501 characters', { query: 'x'.repeat(501) }, /^query: /],
    ['no hits', { k: 0 }, /^k: /],
    ['51 hits', { k: 51 }, /^k: /],
  ])('rejects %s (ME-4)', async (_case, more, detail) => {
    const { status, body } = await memory.recall('anything', more);
    expect([status, body.code, body.detail[0].msg]).toEqual([422, 'INVALID_INPUT', expect.stringMatching(detail)]);
  });

  it('accepts a query of 500 characters and 50 hits (ME-4)', async () => {
    expect((await memory.recall('x'.repeat(500), { k: 50 })).status).toBe(200);
  });

  it('puts the newer one first among equals (ME-10)', async () => {
    const [older] = [(await memory.remember('a fact')).body.result.id];
    run.clock.advance(60_000);
    const newer = (await memory.remember('a fact', { memory_type: 'fact' })).body.result.id;
    // Equal texts of two types are near duplicates, so only the newer one is found unless the recall names a type.
    expect(idsOf((await memory.recall('anything')).body)).toEqual([newer]);
    expect(idsOf((await memory.recall('anything', { memory_type: 'note' })).body)).toEqual([older]);
  });
});

describe('recall of near duplicates', () => {
  const pairs: readonly (readonly [difference: string, text: string, other: string])[] = [
    ['a negation', 'The audit was approved by the board.', 'The audit was not approved by the board.'],
    ['a number', 'Invoice 4711 of Miller is paid.', 'Invoice 4712 of Miller is paid.'],
    ['a name', 'Account 1200 is held at Sparkasse.', 'Account 1200 is held at Volksbank.'],
    ['a sign', 'The balance is 500.', 'The balance is -500.'],
    ['the order of words', 'Miller pays Smith on Friday.', 'Smith pays Miller on Friday.'],
  ];
  const repeated = (text: string): string => text.toUpperCase().replace(/^THE /, 'A ').replace('.', '!');
  let alike: MemoryTestService;
  beforeAll(async () => {
    // All texts have the same vector.
    const texts = pairs.flatMap(([, text, other]) => [text, other, repeated(text)]);
    alike = await startMemory({ embedder: chosenEmbedder(Object.fromEntries(texts.map((text) => [text, 0.7]))) });
  });
  afterAll(() => alike.service.close());

  it.each(pairs)('returns both texts that differ by %s (ai-surface ME-12)', async (_difference, text, other) => {
    const facts = memoryOf(alike.owner, await alike.owner.createGraph('Facts', []));
    for (const each of [text, other, repeated(text)]) {
      alike.clock.advance(1_000);
      expect((await facts.remember(each)).status).toBe(200);
    }
    expect((await facts.list()).body.total).toBe(3);
    const { hits } = (await facts.recall('anything')).body;
    const found = hits.map(({ snippet }: { readonly snippet: string }) => snippet);
    // The newer one of two with the same words.
    expect(found.sort()).toEqual([repeated(text), other].sort());
  });

  it('returns the best of each cluster, and the next ones in place of the rest (ai-surface ME-12)', async () => {
    const many = await startMemory({ embedder: hashEmbedder() });
    try {
      const clusters = memoryOf(many.owner, await many.owner.createGraph('Clusters', []));
      const ids: string[] = [];
      // The hash embedder ignores punctuation, so that these have one vector; there are more than one batch of them.
      for (let n = 1; n <= 55; n += 1)
        ids.push((await clusters.remember(`harbour office invoices${'!'.repeat(n)}`)).body.result.id);
      const other = (await clusters.remember('the harbour office is closed')).body.result.id;
      const { body } = await clusters.recall('harbour office invoices', { k: 2 });
      expect([body.total, ids.includes(body.hits[0].document_id), body.hits[1].document_id]).toEqual([2, true, other]);
      expect((await clusters.list()).body.total).toBe(56);
    } finally {
      await many.service.close();
    }
  });
});

describe('the blended ranking', () => {
  it('weighs similarity, age and importance as in the example of the rule (ME-11)', async () => {
    const blended = await startMemory({ embedder: chosenEmbedder(cosines), settings: { ranking: 'blended' } });
    try {
      const graphId = await blended.owner.createGraph('Blend', []);
      // A key, because a session would end.
      const { key } = (await blended.owner.post('/v1/user/api-keys', { name: 'blend' })).body;
      const ranked = memoryOf(blended.service.anonymous.withHeaders({ 'x-api-key': key }), graphId);
      const old = (await ranked.remember('a fact')).body.result.id;
      await ranked.remember('below the threshold', { provenance: { importance: 1 } });
      blended.clock.advance(179 * dayMs);
      const recent = (await ranked.remember('a decision', { memory_type: 'decision' })).body.result.id;
      blended.clock.advance(dayMs);
      const { body } = await ranked.recall('anything');
      expect(idsOf(body)).toEqual([recent, old]);
      expect(scoresOf(body)).toEqual([expect.closeTo(0.68, 3), expect.closeTo(0.66, 5)]);
      // The importance in the provenance precedes that of the type, and is ignored if it is not from 0 to 1.
      await ranked.update(recent, { provenance: { importance: 0 } });
      await ranked.update(old, { provenance: { importance: 2 } });
      const again = (await ranked.recall('anything')).body;
      expect(idsOf(again)).toEqual([old, recent]);
      expect(scoresOf(again)).toEqual([
        expect.closeTo(0.8 * 0.7 + 0.12 + 0.08 * 0.5, 5),
        expect.closeTo(0.8 * 0.62 + 0.12, 5),
      ]);
    } finally {
      await blended.service.close();
    }
  });
});

describe('an embedder that does not answer', () => {
  it('does not keep texts from being stored; recall answers 503 and finds them when it is back (ME-15)', async () => {
    const changed = (await memory.remember('below the threshold')).body.result.id;
    embedder.isDown = true;
    const { status, body } = await memory.remember('a fact');
    expect(status).toBe(200);
    expect((await memory.update(changed, { text: 'a decision' })).status).toBe(200);
    const down = await memory.recall('anything');
    expect([down.status, down.body.code]).toEqual([503, 'EMBEDDER_UNAVAILABLE']);
    expect(down.body.detail).toMatch(/embedder does not answer/);
    expect((await memory.get(body.result.id)).body.text).toBe('a fact');
    embedder.isDown = false;
    expect(idsOf((await memory.recall('anything')).body)).toEqual([body.result.id, changed]);
  });

  it('counts as one that fails if its vectors are not those of its model (ME-15)', async () => {
    embedder.isWrong = true;
    expect((await memory.remember('a fact')).status).toBe(200);
    expect((await memory.recall('anything')).status).toBe(503);
    embedder.isWrong = false;
    expect((await memory.recall('anything')).body.total).toBe(1);
  });
});

describe('embed-memories', () => {
  const runJob = ({ afterMs = 0 } = {}) =>
    embedMemories.handle({
      use: run.service.service.services.useFor(embedMemories.services),
      ctx: {
        store: run.service.store,
        signal: new AbortController().signal,
        log: silentLog,
        now: () => new Date(run.clock.now().getTime() + afterMs),
      },
    });
  const inGraph = <Row>(statement: RawBuilder<Row>) =>
    run.service.store.transaction({ graphId: graph }, (tx) => tx.query(statement));
  const models = () =>
    inGraph(sql<Pick<MemoryRecord, 'vector_model'> & { readonly count: number }>`
      SELECT vector_model, count(*) AS count FROM memory_record WHERE graph_id = ${graph} GROUP BY vector_model
      ORDER BY vector_model`);
  const state = () => inGraph(sql`SELECT vector_model FROM memory_vector_state WHERE graph_id = ${graph}`);

  /** Memories that were stored while the embedder was down; more than two batches. */
  async function storeWithoutVectors(count = 150): Promise<void> {
    embedder.isDown = true;
    await memory.remember('a fact');
    embedder.isDown = false;
    await inGraph(sql`
      INSERT INTO memory_record (graph_id, id, text, text_key, source, memory_type, created_by, created_at, updated_at)
      SELECT ${graph}, 'mem_' || n, 'Text ' || n, 'key ' || n, 'api', 'note', 'user', now(), now()
      FROM generate_series(2, ${count}) AS n`);
  }

  it('makes missing vectors in batches, and those of another model anew (ME-15)', async () => {
    await storeWithoutVectors();
    expect([await models(), await state()]).toEqual([[{ vector_model: null, count: 150 }], [{ vector_model: null }]]);
    await runJob();
    expect([await models(), await state()]).toEqual([
      [{ vector_model: 'chosen-1', count: 150 }],
      [{ vector_model: 'chosen-1' }],
    ]);
    embedder.calls.length = 0;
    await runJob();
    expect(embedder.calls).toEqual([]);
    embedder.model = 'chosen-2';
    await runJob();
    expect([await models(), await state()]).toEqual([
      [{ vector_model: 'chosen-2', count: 150 }],
      [{ vector_model: 'chosen-2' }],
    ]);
  });

  it('leaves vectors to a later turn while the embedder is down (ME-15)', async () => {
    await storeWithoutVectors();
    embedder.isDown = true;
    await runJob();
    expect(await models()).toEqual([{ vector_model: null, count: 150 }]);
    embedder.isDown = false;
    await runJob();
    expect(await state()).toEqual([{ vector_model: 'chosen-1' }]);
  });

  it('is not awaited by recall, which makes the vectors of the newest 64 memories (ME-15)', async () => {
    await storeWithoutVectors();
    embedder.calls.length = 0;
    expect((await memory.recall('anything')).status).toBe(200);
    expect(embedder.calls).toHaveLength(1 + 64);
    expect(await models()).toEqual([
      { vector_model: 'chosen-1', count: 64 },
      { vector_model: null, count: 150 - 64 },
    ]);
    // Another model: nothing of the old one is compared.
    embedder.model = 'chosen-2';
    await memory.recall('anything');
    expect(await models()).toEqual([
      { vector_model: 'chosen-2', count: 64 },
      { vector_model: null, count: 150 - 64 },
    ]);
  });

  it('leaves only refused memories without a vector, in each graph, and tries them an hour later (ME-15)', async () => {
    const other = graph;
    await storeWithoutVectors();
    graph = await run.owner.createGraph('Refused', []);
    memory = memoryOf(run.owner, graph);
    await storeWithoutVectors();
    embedder.refused = 'Text 77';
    await runJob();
    const partly = [
      { vector_model: 'chosen-1', count: 149 },
      { vector_model: null, count: 1 },
    ];
    expect(await models()).toEqual(partly);
    graph = other;
    expect(await models()).toEqual(partly);
    embedder.calls.length = 0;
    await runJob({ afterMs: hourMs - 1 });
    expect(embedder.calls).toEqual([]);
    embedder.refused = undefined;
    await runJob({ afterMs: hourMs });
    expect([await models(), await state()]).toEqual([
      [{ vector_model: 'chosen-1', count: 150 }],
      [{ vector_model: 'chosen-1' }],
    ]);
    embedder.calls.length = 0;
    await runJob({ afterMs: 2 * hourMs });
    expect(embedder.calls).toEqual([]);
  });

  it('tries a refused memory at once with another embedder, and with a new text (ME-15)', async () => {
    embedder.refused = 'fact';
    const { id } = (await memory.remember('a fact')).body.result;
    await memory.remember('another fact');
    await runJob();
    expect(await models()).toEqual([{ vector_model: null, count: 2 }]);
    embedder.isDown = true;
    await memory.update(id, { text: 'a decision' });
    embedder.isDown = false;
    await runJob();
    expect(await models()).toEqual([
      { vector_model: 'chosen-1', count: 1 },
      { vector_model: null, count: 1 },
    ]);
    embedder.refused = undefined;
    embedder.model = 'chosen-2';
    await runJob();
    expect(await models()).toEqual([{ vector_model: 'chosen-2', count: 2 }]);
  });

  it('does not take an embedder that is down for one that refuses texts (ME-15)', async () => {
    await storeWithoutVectors(2);
    embedder.isDown = true;
    await runJob();
    embedder.isDown = false;
    await runJob();
    expect(await models()).toEqual([{ vector_model: 'chosen-1', count: 2 }]);
  });

  it('does not keep a recall from the other memories when the embedder refuses one (ME-15)', async () => {
    await storeWithoutVectors();
    embedder.refused = 'Text 77';
    expect((await memory.recall('anything')).status).toBe(200);
    expect(await models()).toEqual([
      { vector_model: 'chosen-1', count: 63 },
      { vector_model: null, count: 150 - 63 },
    ]);
    embedder.calls.length = 0;
    expect((await memory.recall('anything')).status).toBe(200);
    expect(embedder.calls).toHaveLength(1 + 64);
    embedder.isDown = true;
    expect((await memory.recall('anything')).status).toBe(503);
  });
});
