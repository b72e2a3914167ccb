import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StagingStore } from '@pacioli/core/ports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { duckdbStagingStore } from './index.ts';

const { signal } = new AbortController();
describe('the answer of a statement of SQL', () => {
  let folder: string;
  let store: StagingStore;

  const answer = (sql: string) => store.query('kg1', [], sql, [], { timeoutMs: 60_000, maxRows: 100, signal });
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-answers-'));
    store = duckdbStagingStore({ folder: join(folder, 'staging') });
  });
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each([
    "DATE '0044-03-15 (BC)'",
    "DATE 'infinity'",
    "DATE '12345-01-01'",
    "TIMESTAMP '-infinity'",
    "TIMESTAMP '10000-01-01 00:00:00'",
    "[DATE '0001-01-01' - 1]",
    "MAP {DATE 'infinity': 1}",
  ])('has no date of a year without four digits: %s (graphs SQ-5, Q-45)', async (expression) => {
    await expect(answer(`SELECT ${expression} AS x`)).rejects.toMatchObject({
      code: 'statement',
      message: expect.stringContaining('outside of the years 1 to 9999: select it as CAST(x AS VARCHAR)'),
    });
    expect((await answer(`SELECT CAST(${expression} AS VARCHAR) AS x`)).rows).toEqual([[expect.any(String)]]);
  });

  it('has dates of the first and of the last year with four digits (graphs SQ-5)', async () => {
    const sql = "SELECT DATE '0001-01-01', TIMESTAMP '9999-12-31 23:59:59.999999', TIMESTAMPTZ '0001-01-01 00:00:00Z'";
    expect((await answer(sql)).rows).toEqual([
      [
        { valueKind: 'date', text: '0001-01-01' },
        { valueKind: 'timestamp', text: '9999-12-31T23:59:59.999999Z' },
        { valueKind: 'timestamp', text: '0001-01-01T00:00:00Z' },
      ],
    ]);
  });
});
