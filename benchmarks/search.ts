import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { connect, Index, rerankers } from '@lancedb/lancedb';
import type { Embedder, IndexEntry } from '@pacioli/core/ports';
import { wordEmbedder } from '@pacioli/embedder-words';
import { lanceSearchIndex } from '@pacioli/search-lancedb';
import { judgedRules } from './judged-rules.ts';
import { type Figure, inTurns, medianOf } from './measure.ts';
import { embedAll, fused, sectionEntry } from './search-entries.ts';

const sections = 20_000;
const perDocument = 1_000;
const searchesPerRun = 50;
const perPage = 10;
const graph = 'kgsearch';
const delayResolutionMs = 5;
/** The goal for the time in which other requests get no turn. */
const maxBlockedMs = 50;
const never = new AbortController().signal;

/** S7: hybrid search over 20,000 sections, compared with bare LanceDB over the same texts and vectors. */
export async function searching(): Promise<readonly Figure[]> {
  const { passages, queries } = judgedRules();
  const embedder = wordEmbedder();
  const folder = await mkdtemp(join(tmpdir(), 'pacioli-bench-search-'));
  const index = lanceSearchIndex({ folder: join(folder, 'ours') });
  try {
    const textAt = (at: number): string => {
      // Combined, so that sections of similar words differ.
      const [one, two] = [passages[at % passages.length], passages[(at * 7 + 13) % passages.length]];
      return `${one?.text} ${two?.text}`;
    };
    const indexed = await indexingOf(embedder, textAt, async (document, entries) => {
      await index.replace(graph, `d${document}_`, entries, { signal: never });
    });
    const texts = Array.from({ length: sections }, (_, at) => textAt(at));
    const vectors = await embedAll(embedder, texts);
    const started = performance.now();
    const table = await bareTable(join(folder, 'bare'), texts, vectors);
    const bareIndexing = performance.now() - started;
    const questions = queries.slice(0, searchesPerRun).map(({ text }) => text);
    const asked = await embedAll(embedder, questions);
    const ours = async (at: number): Promise<void> => {
      const vector = { values: asked[at] ?? new Float32Array(), model: embedder.id };
      const query = { text: questions[at] ?? '', filter: {}, vector, limit: 100, offset: 0 };
      const ids = fused(await index.search(graph, query, { signal: never })).slice(0, perPage);
      const page = await index.entries(graph, ids, { signal: never });
      if (page.length === 0) throw new Error('Nothing found.');
    };
    const reranker = await rerankers.RRFReranker.create();
    const bare = async (at: number): Promise<void> => {
      const both = table
        .query()
        .nearestTo(asked[at] ?? [])
        .fullTextSearch(questions[at] ?? '');
      // Both lists have 100, as ours; LanceDB returns the rows of all.
      const rows = await both.distanceType('cosine').rerank(reranker).limit(100).toArray();
      if (rows.length === 0) throw new Error('Nothing found.');
    };
    const each = (search: (at: number) => Promise<void>) => {
      let at = 0;
      return () =>
        medianOf(searchesPerRun, async () => {
          at = (at + 1) % questions.length;
          await search(at);
        });
    };
    const times = await inTurns(3, each(ours), each(bare));
    return [
      { ...{ name: 'search, hybrid over 20,000 sections', unit: 'ms', kind: 'time', goal: '≤ 1.5 ×' }, ...times },
      {
        ...{ name: 'search, indexing of 20,000 sections', unit: 'ms', kind: 'time', goal: 'none' },
        ...{ ours: indexed.milliseconds, bare: bareIndexing, note: indexed.note },
      },
    ];
  } finally {
    await index.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Embeds and writes documents one after another; the note has the memory and the delay of the event loop. */
async function indexingOf(
  embedder: Embedder,
  textAt: (section: number) => string,
  write: (document: number, entries: readonly IndexEntry[]) => Promise<void>,
): Promise<{ readonly milliseconds: number; readonly note: string }> {
  // Garbage that was not yet collected would hide what the index keeps.
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const residentMegabytes = async (): Promise<number> => {
    collectGarbage();
    // The engine gives freed pages back a moment later.
    await setTimeout(300);
    return process.memoryUsage().rss / 2 ** 20;
  };
  const delays: IntervalHistogram[] = [];
  let quarter = 0;
  let pausedMs = 0;
  const started = performance.now();
  for (let start = 0; start < sections; start += perDocument) {
    const document = start / perDocument;
    // Made when needed, since texts that are kept would grow the memory.
    const some = Array.from({ length: perDocument }, (_, at) => textAt(start + at));
    const delay = monitorEventLoopDelay({ resolution: delayResolutionMs });
    delay.enable();
    const vectors = await embedAll(embedder, some);
    const entries = some.map((content, at) =>
      sectionEntry({
        ...{ id: `d${document}_${at}`, documentTitle: `Document ${document}`, content, model: embedder.id },
        embedding: vectors[at] ?? null,
      }),
    );
    // The entries of the benchmark are no part of the driver's turn.
    await setImmediate();
    await write(document, entries);
    delay.disable();
    delays.push(delay);
    if (quarter === 0 && start + perDocument >= sections / 4) {
      const paused = performance.now();
      quarter = await residentMegabytes();
      pausedMs = performance.now() - paused;
    }
  }
  const milliseconds = performance.now() - started - pausedMs;
  const last = await residentMegabytes();
  // The monitor counts its own interval, too.
  const blocked = delays.map(({ max }) => max / 1e6 - delayResolutionMs);
  const most = Math.max(...blocked);
  const over = blocked.filter((ms) => ms > maxBlockedMs).length;
  return {
    milliseconds,
    note: `ours with embedding; resident memory without garbage ${quarter.toFixed(0)} MB after a quarter, ${last.toFixed(0)} MB at the end; event loop blocked for at most ${most.toFixed(0)} ms (goal ${maxBlockedMs} ms), above the goal in ${over} of ${delays.length} documents`,
  };
}

async function bareTable(folder: string, texts: readonly string[], vectors: readonly Float32Array[]) {
  const database = await connect(folder);
  const rows = texts.map((text, at) => ({ id: String(at), text, vector: Array.from(vectors[at] ?? []) }));
  const table = await database.createTable('sections', rows);
  await table.createIndex('text', { config: Index.fts() });
  return table;
}
