/**
 * Goal: both drivers of the search index rank the same. Method: the rules of the specification in both, and 50 titles of
 * tests as questions. Starts a search server.
 * @module-tag full-run
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RankedEntry, SearchIndex } from '@pacioli/core/ports';
import { wordEmbedder } from '@pacioli/embedder-words';
import { lanceSearchIndex } from '@pacioli/search-lancedb';
import { openSearchIndex } from '@pacioli/search-opensearch';
import { reasonToSkip, type SearchServer, startSearchServer } from '@pacioli/search-opensearch/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judgedRules } from '../judged-rules.ts';
import { embedAll, sectionEntry } from '../search-entries.ts';

const tolerance = 0.1;
const questions = 50;
const signal = new AbortController().signal;
const reason = reasonToSkip();

describe.skipIf(reason !== undefined)(`drivers of the search index${reason === undefined ? '' : `: ${reason}`}`, () => {
  let folder: string;
  let server: SearchServer;
  let indexes: readonly [SearchIndex, SearchIndex];
  const embedder = wordEmbedder();
  const { passages, queries } = judgedRules();
  const asked = queries.filter((_query, at) => at % Math.floor(queries.length / questions) === 0).slice(0, questions);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-search-drivers-'));
    server = await startSearchServer();
    indexes = [lanceSearchIndex({ folder }), openSearchIndex({ url: server.url })];
    const vectors = await embedAll(
      embedder,
      passages.map(({ text }) => text),
    );
    const entries = passages.map(({ id, title, text }, at) =>
      sectionEntry({ id, documentTitle: title, content: text, embedding: vectors[at] ?? null, model: embedder.id }),
    );
    for (const index of indexes) await index.replace('kgrules', '', entries, { signal });
  });
  afterAll(async () => {
    for (const index of indexes) await index.close();
    await server.stop();
    await rm(folder, { recursive: true });
  });

  const answers = async (text: string, values: Float32Array) =>
    Promise.all(
      indexes.map((index) =>
        index.search(
          'kgrules',
          { text, filter: {}, vector: { values, model: embedder.id }, limit: 50, offset: 0 },
          { signal },
        ),
      ),
    );

  it('give 50 questions the same scores within 10 %, and the same order where scores differ by more (ai-surface SR-10)', async () => {
    expect(asked).toHaveLength(questions);
    const vectors = await embedAll(
      embedder,
      asked.map(({ text }) => text),
    );
    for (const [at, { text }] of asked.entries()) {
      const [embedded, cluster] = await answers(text, vectors[at] ?? new Float32Array());
      expectAgreement(text, embedded?.byText ?? [], cluster?.byText ?? [], tolerance);
      // Cosines are exact in both.
      expectAgreement(text, embedded?.byVector ?? [], cluster?.byVector ?? [], 0.001);
    }
  });
});

/** The last entries of a list may be others, because their scores may be those of entries just beyond it. */
function expectAgreement(
  text: string,
  one: readonly RankedEntry[],
  two: readonly RankedEntry[],
  allowed: number,
): void {
  expect(two.length, text).toBe(one.length);
  const scores = new Map(two.map(({ id, score }) => [id, score]));
  const places = new Map(two.map(({ id }, at) => [id, at]));
  const least = (one.at(-1)?.score ?? 0) * (1 + 2 * allowed);
  const compared = one.filter(({ score }) => score > least);
  for (const { id, score } of compared) {
    const other = scores.get(id) ?? 0;
    expect(Math.abs(other - score), `${text}: ${id}`).toBeLessThanOrEqual(score * allowed);
    const before = compared.filter((each) => each.score > score * (1 + 2 * allowed));
    for (const each of before) expect(places.get(each.id)).toBeLessThan(places.get(id) ?? 0);
  }
}
