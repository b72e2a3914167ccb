import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Connection, Database } from '@ladybugdb/core';
import { type AnalyticalSchema, graphSchemas, kernel } from '@pacioli/core';
import graph from '@pacioli/graph';
import { ladybugGraphStore } from '@pacioli/graph-ladybug';
import { type BenchService, startBenchService } from './bench-service.ts';
import { ledgerPlugins, openBooks } from './books.ts';
import { type Figure, inTurns } from './measure.ts';
import { multiply, postFirst } from './trial-balance.ts';

const rounds = 2;
const maxMemory = 2 ** 30;

/**
 * A graph of 1,000,000 line items and their entries built from the records, compared with reading the same rows and
 * with the engine's COPY of parquet files that hold them. The argument is another number of line items.
 */
export async function materializing(argument = '1000000'): Promise<readonly Figure[]> {
  const lines = Number(argument);
  const bench = await startBenchService([graph, ...ledgerPlugins]);
  const folder = await mkdtemp(join(tmpdir(), 'pacioli-bench-'));
  try {
    const books = await openBooks(bench);
    await postFirst(bench, books);
    await multiply(bench.pool, books.graph, lines / 2);
    const ours = () => build(bench, books.graph);
    await ours();
    const schema = await schemaOf(bench, books.graph);
    const files = await exported(bench, books.graph, schema, folder);
    const bare = async () => (await readAll(bench, books.graph, schema)) + (await copyAll(files, schema, folder));
    const times = await inTurns(rounds, ours, bare);
    return [
      {
        name: `materialize, ${lines.toLocaleString('en')} line items`,
        unit: 'ms',
        kind: 'time',
        goal: '≤ 2 ×',
        ...times,
      },
    ];
  } finally {
    await bench.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function schemaOf({ service }: BenchService, graphId: string): Promise<AnalyticalSchema> {
  const { services } = service.service;
  return service.store.transaction({ graphId }, async (tx) => {
    const record = await services.resolve(kernel.graphs).find(tx, graphId);
    if (record === undefined) throw new Error('The graph is missing.');
    return services.resolve(graphSchemas).of(tx, record);
  });
}

async function build({ user }: BenchService, graphId: string): Promise<number> {
  const started = performance.now();
  const accepted = await user.post(`/v1/graphs/${graphId}/operations/materialize`, { rebuild: true });
  const ended = await user.follow(accepted.body.operationId);
  if (ended.body.status !== 'completed') throw new Error(`The build failed: ${JSON.stringify(ended.body)}`);
  return performance.now() - started;
}

/** Reads the rows of all tables in one snapshot, as the build does, and drops them. */
async function readAll({ service }: BenchService, graphId: string, schema: AnalyticalSchema): Promise<number> {
  const started = performance.now();
  await service.store.transaction(
    { graphId },
    async (tx) => {
      for (const table of [...schema.nodes, ...schema.relationships]) {
        const batches = table.rows?.({ graphId, tx });
        if (batches !== undefined) for await (const _batch of batches);
      }
    },
    { readOnly: true, maxStatementMs: 600_000 },
  );
  return performance.now() - started;
}

/** Each table of the built graph as a parquet file of the engine's own. */
async function exported(
  { service }: BenchService,
  graphId: string,
  schema: AnalyticalSchema,
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const store = service.service.services.resolve(kernel.graphStore);
  const [generation = 0] = await store.generations(graphId);
  const snapshot = await store.snapshot({ graphId, generation }, new AbortController().signal);
  const path = join(folder, 'built.lbug');
  await pipeline(snapshot.chunks, createWriteStream(path));
  const database = new Database(path, maxMemory, true, true);
  const connection = new Connection(database);
  const files = new Map<string, string>();
  const copy = async (name: string, match: string): Promise<void> => {
    const file = join(folder, `${name}.parquet`);
    await connection.query(`COPY (${match}) TO '${file}'`);
    files.set(name, file);
  };
  for (const { name, key } of schema.nodes) {
    await copy(name, `MATCH (n:\`${name}\`) RETURN n.* ORDER BY n.\`${key}\``);
  }
  const keyOf = (node: string): string => schema.nodes.find(({ name }) => name === node)?.key ?? 'identifier';
  for (const { name, from, to, columns } of schema.relationships) {
    // The first two columns are the keys of the ends.
    const own = columns.length > 2 ? ', r.*' : '';
    const ends = `a.\`${keyOf(from)}\`, b.\`${keyOf(to)}\``;
    await copy(name, `MATCH (a:\`${from}\`)-[r:\`${name}\`]->(b:\`${to}\`) RETURN ${ends}${own}`);
  }
  await connection.close();
  await database.close();
  return files;
}

async function copyAll(files: ReadonlyMap<string, string>, schema: AnalyticalSchema, folder: string): Promise<number> {
  const target = join(folder, 'copied');
  const store = ladybugGraphStore({ folder: target });
  await store.create({ graphId: 'bench', generation: 1 }, schema);
  await store.close();
  const database = new Database(join(target, 'bench.g1.lbug'), maxMemory, true);
  const connection = new Connection(database);
  const started = performance.now();
  for (const [name, file] of files) await connection.query(`COPY \`${name}\` FROM '${file}'`);
  await connection.query('CHECKPOINT');
  const elapsed = performance.now() - started;
  await connection.close();
  await database.close();
  await rm(target, { recursive: true, force: true });
  return elapsed;
}
