import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnalyticalRow, ResultRow, StagingStore } from '@pacioli/core/ports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { duckdbStagingStore } from './index.ts';

const columns = [
  { name: 'id', type: 'INT64' },
  { name: 'price', type: 'DECIMAL(18,4)' },
  { name: 'size', type: 'INT128' },
  { name: 'place', type: 'DOUBLE[2]' },
  { name: 'tags', type: 'STRING[]' },
  { name: 'seals', type: 'BLOB[]' },
  { name: 'scans', type: 'MAP(STRING, BLOB[2])' },
  { name: 'record', type: 'STRUCT(BLOB STRING, bytes BLOB)' },
];
const decimal = (text: string) => ({ valueKind: 'decimal', text }) as const;
const bytes = Uint8Array.from([0, 104, 39, 92, 255]);
const rows: readonly ResultRow[] = [
  [
    ...[1, decimal('12345678901234.5678'), 170141183460469231731687303715884105727n, [0.5, -1.25], ['a', '\\x68']],
    ...[[bytes, null], { valueKind: 'map', entries: [['\\x68', [bytes, bytes]]] } as const],
    { valueKind: 'record', fields: { BLOB: '\\x68', bytes } },
  ],
  [2, null, null, null, null, null, null, null],
];

describe('a parquet file of the rows of a graph', () => {
  const { signal } = new AbortController();
  let folder: string;
  let store: StagingStore;
  let path: string;

  async function* batches() {
    yield rows;
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-parquet-'));
    store = duckdbStagingStore({ folder: join(folder, 'staging') });
    path = join(folder, 'rows.parquet');
    expect(await store.writeParquet(path, columns, batches(), signal)).toBe(2);
  });
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('has every value, lists of a fixed length and their absence included (graphs P-3)', async () => {
    const found: AnalyticalRow[] = [];
    const read = async (source: AsyncIterable<readonly AnalyticalRow[]>): Promise<void> => {
      for await (const batch of source) found.push(...batch);
    };
    await store.checkParquet(path, columns, signal);
    await store.readParquet(path, columns, read, signal);
    expect(found).toEqual([
      {
        ...{ id: 1, price: decimal('12345678901234.5678'), size: '170141183460469231731687303715884105727' },
        ...{ place: [0.5, -1.25], tags: ['a', '\\x68'], seals: [bytes, null] },
        scans: { valueKind: 'map', entries: [['\\x68', [bytes, bytes]]] },
        record: { valueKind: 'record', fields: { BLOB: '\\x68', bytes } },
      },
      { id: 2, price: null, size: null, place: null, tags: null, seals: null, scans: null, record: null },
    ]);
  });

  it.each([
    ['price', 'DOUBLE', 'price is DECIMAL(18,4) in it and should be DOUBLE'],
    ['id', 'INT32', 'id is BIGINT in it and should be INTEGER'],
    ['tags', 'INT64[]', 'tags is VARCHAR[] in it and should be BIGINT[]'],
  ])('is not taken for one whose column %s is %s (graphs P-3)', async (name, type, message) => {
    const declared = columns.map((column) => (column.name === name ? { name, type } : column));
    await expect(store.checkParquet(path, declared, signal)).rejects.toMatchObject({
      code: 'unreadable-file',
      message: expect.stringContaining(message),
    });
  });

  it('is not taken for one with a further column (graphs P-3)', async () => {
    const declared = [...columns, { name: 'weight', type: 'DOUBLE' }];
    await expect(store.checkParquet(path, declared, signal)).rejects.toThrow('weight is not in it');
  });
});
