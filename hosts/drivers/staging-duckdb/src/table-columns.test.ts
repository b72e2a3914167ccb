import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StagedTable, StagingStore } from '@pacioli/core/ports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { duckdbStagingStore } from './index.ts';

const { signal } = new AbortController();
const vessel: StagedTable = {
  kind: 'node',
  name: 'Vessel',
  key: 'imo',
  extension: 'custom',
  columns: [
    { name: 'imo', type: 'STRING', isRequired: true },
    { name: 'name', type: 'STRING' },
  ],
};
/** With the key, as many as a table may have; `name` is one of them. */
const wide = (prefix: string) => {
  const names = Array.from({ length: 398 }, (_, index) => `${prefix}${index}`);
  return `imo,${names.join(',')}\n${prefix},${names.map(() => 'x').join(',')}\n`;
};

describe('the columns of a staged table', () => {
  let folder: string;
  let store: StagingStore;

  const stage = async (id: string, csv: string) => {
    const path = join(folder, `upload-${id}`);
    await writeFile(path, csv);
    return store.stage('kg1', vessel, { id, format: 'csv', path, position: 1 }, signal);
  };
  const query = (sql: string) => store.query('kg1', [vessel], sql, [], { timeoutMs: 60_000, maxRows: 100, signal });
  const columns = async () => (await query('SELECT * FROM Vessel')).columns;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-columns-'));
    store = duckdbStagingStore({ folder: join(folder, 'staging') });
  });
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('include that of the file before a table has one (graphs T-4)', async () => {
    expect(await columns()).toEqual(['imo', 'name', '_file_id']);
    expect((await query("SELECT count(*) FROM Vessel WHERE _file_id = 'f1'")).rows).toEqual([[0]]);
  });

  it('may be named like what every object has, in the schema and in files (graphs T-4, T-5)', async () => {
    const result: StagedTable = {
      ...vessel,
      name: 'Result',
      columns: [...vessel.columns, { name: 'constructor', type: 'STRING' }, { name: 'toString', type: 'STRING' }],
    };
    const path = join(folder, 'upload-names');
    await writeFile(path, 'imo,Object,toString\n1,other,given\n');
    await store.stage('kg2', result, { id: 'f1', format: 'csv', path, position: 1 }, signal);
    const limits = { timeoutMs: 60_000, maxRows: 100, signal };
    const { rows } = await store.query('kg2', [result], 'SELECT constructor, "toString" FROM Result', [], limits);
    expect(rows).toEqual([[null, 'given']]);
  });

  it('lose those that the schema does not declare with the last file that has values in them (graphs T-5, F-7)', async () => {
    await stage('f1', 'imo,flag,port,cargo\n1,DE,,coal\n');
    await stage('f2', 'imo,flag,port\n2,NO,Oslo\n');
    expect(await columns()).toEqual(['imo', 'name', 'flag', 'port', 'cargo', '_file_id']);
    await store.unstage('kg1', vessel, 'f1');
    expect(await columns()).toEqual(['imo', 'name', 'flag', 'port', '_file_id']);
    expect((await query('SELECT imo, flag, port FROM Vessel')).rows).toEqual([['2', 'NO', 'Oslo']]);
    await stage('f2', 'imo,owner\n2,Ann\n');
    expect(await columns()).toEqual(['imo', 'name', 'owner', '_file_id']);
    await store.unstage('kg1', vessel, 'f2');
    expect(await columns()).toEqual(['imo', 'name', '_file_id']);
  });

  it('of files that are gone or replaced do not count (graphs F-7)', async () => {
    await stage('f3', wide('a'));
    await expect(stage('f4', 'imo,flag\n1,DE\n')).rejects.toMatchObject({ code: 'unreadable-file' });
    expect((await query('SELECT count(*) FROM Vessel')).rows).toEqual([[1]]);
    await stage('f3', wide('b'));
    expect((await query('SELECT b397 FROM Vessel')).rows).toEqual([['x']]);
    await store.unstage('kg1', vessel, 'f3');
    await stage('f4', wide('c'));
    expect((await query('SELECT c0 FROM Vessel')).rows).toEqual([['x']]);
  });
});
