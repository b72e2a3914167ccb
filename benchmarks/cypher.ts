import { request } from 'node:http';
import { Connection, Database, type QueryResult } from '@ladybugdb/core';
import graph from '@pacioli/graph';
import { startBenchService } from './bench-service.ts';
import { ledgerPlugins } from './books.ts';
import { type Figure, inTurns } from './measure.ts';
import { MemoryGrowth } from './memory-growth.ts';

const rows = 1_000_000;
const query = `UNWIND range(1, ${rows}) AS n RETURN n, concat('row ', cast(n AS STRING)) AS name, cast(n AS DOUBLE) / 2.0 AS half`;

/** S5: a million rows of a Cypher query as NDJSON over HTTP, compared with the engine's row loop and JSON.stringify. */
export async function cypherRows(): Promise<readonly Figure[]> {
  const bench = await startBenchService([graph, ...ledgerPlugins]);
  try {
    const graphId = await bench.user.createGraph('Cypher', ['ledger']);
    const accepted = await bench.user.post(`/v1/graphs/${graphId}/operations/materialize`, { source: 'extensions' });
    await bench.user.follow(accepted.body.operationId);
    const url = `${bench.service.url}/v1/graphs/${graphId}/query/cypher?mode=stream`;
    const memory = new MemoryGrowth();
    const rates = await inTurns(3, () => memory.during(() => overHttp(url, bench.user.headers)), bareLoop);
    const name = 'cypher, 1,000,000 rows as NDJSON';
    return [{ name, unit: 'rows/s', kind: 'rate', goal: '≥ 60 %', note: memory.describe(), ...rates }];
  } finally {
    await bench.close();
  }
}

async function overHttp(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const body = JSON.stringify({ query });
  const started = performance.now();
  const bytes = await new Promise<number>((resolve, reject) => {
    const call = request(
      url,
      {
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/json',
          accept: 'application/x-ndjson',
          'content-length': Buffer.byteLength(body),
        },
      },
      (response) => {
        let read = 0;
        response.on('data', (chunk: Buffer) => {
          read += chunk.length;
        });
        response.on('end', () =>
          response.statusCode === 200
            ? resolve(read)
            : reject(new Error(`The query returned status ${response.statusCode}.`)),
        );
      },
    );
    call.on('error', reject);
    call.end(body);
  });
  if (bytes < rows * 20) throw new Error(`Only ${bytes} bytes arrived.`);
  return (rows * 1000) / (performance.now() - started);
}

async function bareLoop(): Promise<number> {
  const database = new Database(':memory:', 256 * 2 ** 20, true, false, 2 ** 32);
  const connection = new Connection(database);
  const started = performance.now();
  const result = (await connection.query(query)) as QueryResult; // One statement gives one result.
  let bytes = 0;
  while (result.hasNext()) bytes += JSON.stringify(result.getNextSync()).length;
  const seconds = (performance.now() - started) / 1000;
  result.close();
  await connection.close();
  await database.close();
  if (bytes < rows * 20) throw new Error('The engine returned too few bytes.');
  return rows / seconds;
}
