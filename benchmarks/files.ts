import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import graph from '@pacioli/graph';
import { startTestService, type TestClient } from '@pacioli/testing';
import { type Figure, inTurns } from './measure.ts';
import { MemoryGrowth } from './memory-growth.ts';

/** A file has at most 100 MB (graphs L-3), so two of them are 200 MB. */
const rowsPerFile = 1_250_000;
const files = 2;

const schema = {
  name: 'harbour',
  nodes: [
    {
      name: 'Call',
      properties: [
        { name: 'id', type: 'STRING', is_primary_key: true },
        { name: 'vessel', type: 'STRING' },
        { name: 'berth', type: 'STRING' },
        { name: 'tonnes', type: 'DOUBLE' },
        { name: 'day', type: 'DATE' },
      ],
    },
  ],
};

/** 200 MB of CSV uploaded and staged over HTTP, compared with copying them and reading them with DuckDB. */
export async function csvFiles(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'pacioli-bench-'));
  const service = await startTestService({ plugins: [graph] });
  try {
    const paths = await Promise.all(Array.from({ length: files }, (_, number) => written(folder, number)));
    const bytes = (await Promise.all(paths.map((path) => stat(path)))).reduce((sum, { size }) => sum + size, 0);
    const owner = await service.newUser('Bench');
    const memory = new MemoryGrowth();
    const times = await inTurns(
      2,
      () => memory.during(() => stagedOverHttp(owner, paths)),
      () => readBare(folder, paths),
    );
    const note = `${Math.round(bytes / 1e6)} MB; ${memory.describe()}`;
    return [{ name: 'files, 200 MB of CSV staged', unit: 'ms', kind: 'time', goal: 'flat', note, ...times }];
  } finally {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function written(folder: string, number: number): Promise<string> {
  const path = join(folder, `calls-${number}.csv`);
  function* lines(): Generator<string> {
    yield 'id,vessel,berth,tonnes,day\n';
    for (let from = 0; from < rowsPerFile; from += 1_000) {
      let text = '';
      for (let row = from; row < from + 1_000; row += 1) {
        const id = number * rowsPerFile + row;
        text += `call-${id},Vessel number ${id % 5_000},Berth ${id % 97} of the north quay,${(id % 9_000) / 4},2026-0${(id % 9) + 1}-11\n`;
      }
      yield text;
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(path));
  return path;
}

async function stagedOverHttp(owner: TestClient, paths: readonly string[]): Promise<number> {
  const accepted = await owner.post('/v1/graphs', { metadata: { graph_name: 'Bench' }, custom_schema: schema });
  const graphId: string = (await owner.follow(accepted.body.operationId)).body.result.graph_id;
  const operation = async (name: string, input: object) =>
    (await owner.post(`/v1/graphs/${graphId}/operations/${name}`, input)).body;
  const started = performance.now();
  for (const path of paths) {
    const file = { table_name: 'Call', file_name: 'calls.csv', content_type: 'text/csv' };
    const { upload_url, file_id } = (await operation('create-file-upload', file)).result;
    await put(upload_url, path);
    const { result } = await operation('ingest-file', { file_id });
    // A worker stages a large file, and the answer then names the operation to follow.
    const staged = result.staged ? result : (await owner.follow(result.operation_id)).body.result;
    if (staged?.row_count !== rowsPerFile) throw new Error(`The file was not staged: ${JSON.stringify(staged)}`);
  }
  const elapsed = performance.now() - started;
  await operation('delete-graph', { confirm: graphId });
  return elapsed;
}

async function put(url: string, path: string): Promise<void> {
  const { size } = await stat(path);
  await new Promise<void>((resolve, reject) => {
    const call = request(
      url,
      { method: 'PUT', headers: { 'content-type': 'text/csv', 'content-length': size } },
      (answer) => {
        answer.resume();
        answer.on('end', () =>
          answer.statusCode === 200 ? resolve() : reject(new Error(`The upload returned ${answer.statusCode}.`)),
        );
      },
    );
    call.on('error', reject);
    createReadStream(path).pipe(call);
  });
}

async function readBare(folder: string, paths: readonly string[]): Promise<number> {
  const file = join(folder, 'bare.duckdb');
  const started = performance.now();
  const instance = await DuckDBInstance.create(file, { threads: '2' });
  const connection = await instance.connect();
  await connection.run('CREATE TABLE call (id VARCHAR, vessel VARCHAR, berth VARCHAR, tonnes DOUBLE, day DATE)');
  for (const [number, path] of paths.entries()) {
    const copy = join(folder, `copy-${number}.csv`);
    await copyFile(path, copy);
    await connection.run(`INSERT INTO call SELECT * FROM read_csv('${copy}')`);
    await rm(copy);
  }
  connection.closeSync();
  instance.closeSync();
  const elapsed = performance.now() - started;
  await rm(file, { force: true });
  return elapsed;
}
