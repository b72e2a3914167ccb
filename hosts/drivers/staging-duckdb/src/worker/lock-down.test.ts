import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockDown } from './lock-down.ts';

describe('a connection that is locked down', () => {
  let folder: string;
  let instance: DuckDBInstance;
  let connection: DuckDBConnection;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-locked-'));
    const path = join(folder, 'staged.duckdb');
    const made = await DuckDBInstance.create(path);
    const writer = await made.connect();
    await writer.run('CREATE TABLE Vessel AS SELECT 1 AS imo');
    writer.closeSync();
    made.closeSync();
    await writeFile(join(folder, 'other.csv'), 'a\n1\n');
    instance = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY', temp_directory: '' });
    connection = await instance.connect();
    await lockDown(connection);
  });
  afterAll(async () => {
    connection.closeSync();
    instance.closeSync();
    await rm(folder, { recursive: true, force: true });
  });

  it('reads its tables', async () => {
    expect((await connection.runAndReadAll('SELECT imo FROM Vessel')).getRows()).toEqual([[1]]);
  });

  // Without the gate of statements, which refuses all of these as well.
  it.each([
    "SELECT size FROM read_blob('FOLDER/staged.duckdb')",
    "SELECT * FROM read_text('FOLDER/other.csv')",
    "FROM 'FOLDER/other.csv'",
    "FROM glob('FOLDER/*')",
    "COPY Vessel TO 'FOLDER/out.csv'",
    "COPY Vessel TO 'FOLDER/staged.duckdb.wal'",
    "ATTACH 'FOLDER/more.duckdb' AS more",
    "CALL enable_logging('QueryLog', storage = 'file', storage_path = 'FOLDER/log')",
    "SET disabled_filesystems = ''",
    "SET temp_directory = 'FOLDER/tmp'",
    'SET lock_configuration = false',
    'INSERT INTO Vessel VALUES (2)',
    'INSTALL httpfs',
  ])('refuses %s (graphs SQ-2)', async (statement) => {
    await expect(connection.run(statement.replaceAll('FOLDER', folder))).rejects.toThrow();
    for (const name of ['out.csv', 'staged.duckdb.wal', 'more.duckdb', 'log', 'tmp'])
      expect(existsSync(join(folder, name))).toBe(false);
  });
});
