import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, Index, rerankers, type Table } from '@lancedb/lancedb';
import type { Embedder, SearchIndex } from '@pacioli/core/ports';
import { wordEmbedder } from '@pacioli/embedder-words';
import { lanceSearchIndex } from '@pacioli/search-lancedb';
import MiniSearch from 'minisearch';
import { type JudgedQuery, judgedRules, type Passage } from './judged-rules.ts';
import type { Figure } from './measure.ts';
import { embedAll, fused, sectionEntry } from './search-entries.ts';

const cutoff = 10;
const listed = 100;
const graph = 'kgquality';
const never = new AbortController().signal;

/** Ids by rank. */
type Search = (query: JudgedQuery, vector: Float32Array) => Promise<readonly string[]>;

/** The quality of each way to search, over the rules of `docs/spec` with the titles of tests as questions. */
export async function searchQuality(): Promise<readonly Figure[]> {
  const { passages, queries } = judgedRules();
  const embedder = wordEmbedder();
  const vectors = await embedAll(
    embedder,
    passages.map(({ title, text }) => `${title}\n${text}`),
  );
  const folder = await mkdtemp(join(tmpdir(), 'pacioli-bench-search-'));
  const index = lanceSearchIndex({ folder: join(folder, 'ours') });
  try {
    const entries = passages.map(({ id, title, text }, at) =>
      sectionEntry({ id, documentTitle: title, content: text, embedding: vectors[at] ?? null, model: embedder.id }),
    );
    await index.replace(graph, '', entries, { signal: never });
    const table = await bareTable(join(folder, 'bare'), passages, vectors);
    const asked = await embedAll(
      embedder,
      queries.map(({ text }) => text),
    );
    const measure = (search: Search) => meanGain(queries, asked, search);
    const ways = searches({ index, embedder, table, passages });
    const results: Record<string, number> = {};
    for (const [name, search] of Object.entries(ways)) results[name] = await measure(search);
    // The weights of the fusion were chosen by the other half.
    const isUnseen = queries.map((query) => !isTuning(query));
    const unseen = { queries: queries.filter((_, at) => isUnseen[at]), asked: asked.filter((_, at) => isUnseen[at]) };
    for (const name of ['text', 'nearest', 'hybrid'] as const)
      results[`unseen-${name}`] = await meanGain(unseen.queries, unseen.asked, ways[name] as Search);
    return figuresOf(results, `${queries.length} questions, ${passages.length} passages`);
  } finally {
    await index.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function figuresOf(results: Readonly<Record<string, number>>, note: string): readonly Figure[] {
  const figure = (name: string, ours: number, bare: number, goal: string, beside?: string): Figure => ({
    ...{ name: `search-quality, ${name}`, unit: '% nDCG@10', kind: 'rate', goal, note },
    ...{ ours: ours * 100, bare: bare * 100, ...(beside === undefined ? {} : { beside }) },
  });
  const { text = 0, nearest = 0, hybrid = 0, bareText = 0, bareNearest = 0, bareHybrid = 0, mini = 0 } = results;
  const { 'unseen-hybrid': unseen = 0, 'unseen-text': unseenText = 0, 'unseen-nearest': unseenNearest = 0 } = results;
  const unseenPart = Math.max(unseenText, unseenNearest);
  return [
    figure('text', text, bareText, '≥ 100 %'),
    figure('text and a library', text, mini, '≥ 100 %', 'minisearch'),
    figure('nearest', nearest, bareNearest, '≥ 100 %'),
    figure('hybrid', hybrid, bareHybrid, '≥ 100 %'),
    figure('hybrid and its parts', hybrid, Math.max(text, nearest), '≥ 100 %', 'the better part'),
    figure('hybrid and its parts, half not used to choose weights', unseen, unseenPart, '≥ 100 %', 'the better part'),
  ];
}

interface Searched {
  readonly index: SearchIndex;
  readonly embedder: Embedder;
  readonly table: Table;
  readonly passages: readonly Passage[];
}

function searches({ index, embedder, table, passages }: Searched): Readonly<Record<string, Search>> {
  const mini = new MiniSearch<Passage>({ fields: ['title', 'text'] });
  mini.addAll([...passages]);
  const found = (text: string, values: Float32Array) => {
    const query = { text, filter: {}, vector: { values, model: embedder.id }, limit: listed, offset: 0 };
    return index.search(graph, query, { signal: never });
  };
  const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
  return {
    text: async ({ text }, vector) => ids((await found(text, vector)).byText),
    nearest: async ({ text }, vector) => ids((await found(text, vector)).byVector),
    hybrid: async ({ text }, vector) => fused(await found(text, vector)),
    bareText: async ({ text }) => ids(await table.search(text, 'fts').select(['id', '_score']).limit(listed).toArray()),
    bareNearest: async (_query, vector) =>
      ids(await table.vectorSearch(vector).distanceType('cosine').select(['id', '_distance']).limit(listed).toArray()),
    bareHybrid: async ({ text }, vector) => {
      const both = table.query().nearestTo(vector).distanceType('cosine').fullTextSearch(text);
      const reranked = both.rerank(await rerankers.RRFReranker.create());
      return ids(await reranked.limit(listed).toArray());
    },
    mini: async ({ text }) => mini.search(text).map(({ id }) => String(id)),
  };
}

async function bareTable(folder: string, passages: readonly Passage[], vectors: readonly Float32Array[]) {
  const database = await connect(folder);
  const rows = passages.map(({ id, title, text }, at) => ({
    ...{ id, text: `${title}\n${text}`, vector: Array.from(vectors[at] ?? []) },
  }));
  const table = await database.createTable('passages', rows);
  await table.createIndex('text', { config: Index.fts() });
  return table;
}

/** The mean normalized discounted cumulative gain of the first ten, with gains of 0 and 1. */
async function meanGain(queries: readonly JudgedQuery[], vectors: readonly Float32Array[], search: Search) {
  let sum = 0;
  for (const [at, query] of queries.entries()) {
    const ids = await search(query, vectors[at] ?? new Float32Array());
    const gain = ids
      .slice(0, cutoff)
      .reduce((total, id, rank) => total + (query.relevant.has(id) ? weight(rank) : 0), 0);
    const best = Array.from({ length: Math.min(cutoff, query.relevant.size) }, (_, rank) => weight(rank));
    sum += gain / best.reduce((total, each) => total + each, 0);
  }
  return sum / queries.length;
}

/**
 * True for the half of the questions by which the weights were chosen. Questions about the same rule are in the same half.
 */
function isTuning({ relevant }: JudgedQuery): boolean {
  const [rule = ''] = [...relevant].sort();
  return (createHash('sha256').update(rule).digest().at(-1) ?? 0) % 2 === 0;
}

const weight = (rank: number): number => 1 / Math.log2(rank + 2);
