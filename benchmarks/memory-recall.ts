import { monitorEventLoopDelay } from 'node:perf_hooks';
import memory from '@pacioli/memory';
import { hashEmbedder } from '@pacioli/testing';
import type pg from 'pg';
import { startBenchService } from './bench-service.ts';
import { type Figure, inTurns, medianOf } from './measure.ts';

const memories = 10_000;
const rowsPerInsert = 1_000;
const runs = 5;

/**
 * Recall over the most memories that a graph can have, over HTTP, compared with reading the same vectors with one
 * statement and comparing them in a loop. The note has the longest time that the event loop was kept by recall.
 */
export async function memoryRecall(): Promise<readonly Figure[]> {
  const bench = await startBenchService([memory], {});
  const delay = monitorEventLoopDelay({ resolution: 1 });
  try {
    const graph = await bench.user.createGraph('Bench', []);
    await fill(bench.pool, graph);
    const recall = async (): Promise<void> => {
      const { body } = await bench.user.post(`/v1/graphs/${graph}/memory/recall`, {
        query: 'invoice 77 of the harbour',
      });
      if (body.total !== 10) throw new Error(`The recall is wrong: ${JSON.stringify(body).slice(0, 300)}`);
    };
    const times = await inTurns(
      3,
      () => medianOf(runs, recall),
      () => medianOf(runs, () => bareRecall(bench.pool, graph)),
    );
    delay.enable();
    for (let run = 0; run < runs; run += 1) await recall();
    delay.disable();
    const longest = (delay.max / 1e6).toFixed(0);
    const note = `${hashEmbedder().dimensions} dimensions; the event loop was delayed by at most ${longest} ms`;
    return [{ name: 'recall of 10,000 memories', unit: 'ms', kind: 'time', goal: '≤ 1.5 ×', note, ...times }];
  } finally {
    await bench.close();
  }
}

async function bareRecall(pool: pg.Pool, graph: string): Promise<void> {
  const [query] = await vectorsOf(['invoice 77 of the harbour']);
  const { rows } = await pool.query('SELECT id, vector FROM memory_record WHERE graph_id = $1', [graph]);
  const scores = rows.map(({ vector }: { readonly vector: Buffer }) => {
    const floats = new Float32Array(new Uint8Array(vector).buffer);
    return floats.reduce((sum, value, index) => sum + value * (query?.[index] ?? 0), 0);
  });
  if (scores.length !== memories) throw new Error(`There are ${scores.length} vectors.`);
}

function vectorsOf(texts: readonly string[]): Promise<readonly Float32Array[]> {
  return hashEmbedder().embed(texts, 'passage', { signal: new AbortController().signal });
}

/** Writes the memories as rows, which is not measured. */
async function fill(pool: pg.Pool, graph: string): Promise<void> {
  for (let from = 0; from < memories; from += rowsPerInsert) {
    const numbers = Array.from({ length: rowsPerInsert }, (_, index) => from + index);
    const texts = numbers.map(
      (n) => `Customer ${n * 7919} of harbour ${n % 97} pays invoice ${n} within ${n % 60} days`,
    );
    const vectors = await vectorsOf(texts);
    await pool.query(
      `INSERT INTO memory_record (graph_id, id, text, text_key, source, memory_type, created_by, created_at, updated_at,
         vector, vector_model)
       SELECT $1, 'mem_' || m.n, m.text, m.n, 'api', 'note', 'bench', now(), now(), decode(m.vector, 'hex'), $5
       FROM unnest($2::text[], $3::text[], $4::text[]) AS m(n, text, vector)`,
      [
        graph,
        numbers.map(String),
        texts,
        vectors.map((vector) => Buffer.from(vector.buffer).toString('hex')),
        hashEmbedder().id,
      ],
    );
  }
  await pool.query(`INSERT INTO memory_vector_state (graph_id, vector_model) VALUES ($1, $2)`, [
    graph,
    hashEmbedder().id,
  ]);
  await pool.query('VACUUM ANALYZE memory_record');
}
