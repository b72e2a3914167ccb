import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnalyticalNode, StagingStore } from '@pacioli/core/ports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { duckdbStagingStore } from './duckdb-staging-store.ts';

const graphId = 'kg00000000000000000001';
const signal = new AbortController().signal;
const vessel: AnalyticalNode = {
  kind: 'node',
  name: 'Vessel',
  key: 'imo',
  extension: 'custom',
  columns: [
    { name: 'imo', type: 'STRING', isRequired: true },
    { name: 'v', type: 'DECIMAL(38, 10)' },
  ],
};

describe('an upload that is too wide', () => {
  let folder: string;
  let store: StagingStore;

  const stage = (format: 'csv' | 'json' | 'parquet', path: string, id = 'gf_wide') =>
    store.stage(graphId, vessel, { id, format, path, position: 1 }, signal);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-wide-'));
    store = duckdbStagingStore({ folder: join(folder, 'staging') });
  });
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each([
    ['scalar', 'v', 50],
    ['nested', 'l', 40],
  ])('is refused when its decimals have more than 38 digits (graphs T-6): %s', async (name, column, digits) => {
    const path = new URL(`./fixtures/wide-decimals/${name}.parquet`, import.meta.url).pathname;
    await expect(stage('parquet', path)).rejects.toMatchObject({
      code: 'unreadable-file',
      message:
        `The file cannot be read as parquet. The column ${column} has decimals of ${digits} digits, and only 38 can be ` +
        'read: write it as decimal128 or as text.',
    });
  });

  const csv = (columns: number, prefix: string): string => {
    const others = Array.from({ length: columns - 1 }, (_, index) => `${prefix}${index}`);
    return `imo,${others.join(',')}\n1${',1'.repeat(columns - 1)}\n`;
  };

  it('is refused when it has more than 400 columns, in every format (graphs F-7)', async () => {
    const names = ['imo', ...Array.from({ length: 400 }, (_, index) => `c${index}`)];
    const json = JSON.stringify(Object.fromEntries(names.map((name) => [name, '1'])));
    for (const [format, content] of [
      ['csv', csv(401, 'c')],
      ['json', json],
    ] as const) {
      const path = join(folder, `wide.${format}`);
      await writeFile(path, content);
      await expect(stage(format, path)).rejects.toMatchObject({
        code: 'unreadable-file',
        message: `The file cannot be read as ${format}. It has 401 columns, and at most 400 are allowed.`,
      });
    }
  });

  it('is refused when its table has more than 400 columns with it (graphs F-7)', async () => {
    const path = join(folder, 'wide.csv');
    await writeFile(path, csv(399, 'c'));
    expect((await stage('csv', path)).rows).toBe(1);
    await writeFile(path, csv(3, 'd'));
    await expect(stage('csv', path, 'gf_other')).rejects.toMatchObject({
      code: 'unreadable-file',
      message: 'With those of this file, the table Vessel has 402 columns, and at most 400 are allowed.',
    });
  });
});
