/** @module-tag sessions */
import { createHash } from 'node:crypto';
import { sql } from '@pacioli/core';
import { kernelPlugin, migrationSets } from '@pacioli/core/assembly';
import { storeDrivers } from '@pacioli/store-postgres/testing';
import { describe, expect, it } from 'vitest';
import { migrateToEarlier } from './earlier-migrations.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const rows = [
  sql`INSERT INTO kernel_operation (id, graph_id, user_id, name, runs, status, result, created_at, updated_at, finished_at)
    VALUES ('op_1', 'kg1', 'user_1', 'add-note', 'inline', 'completed', '{"text": "old"}', now(), now(), now())`,
  sql`INSERT INTO kernel_idempotency (user_id, graph_id, operation, key_hash, fingerprint, operation_id, expires_at)
    VALUES ('user_1', 'kg1', 'add-note', ${sha256('key')}, ${sha256('body')}, 'op_1', now() + interval '1 day'),
      ('user_1', '-', 'create-graph', ${sha256('key')}, ${sha256('body')}, 'op_1', now() + interval '1 day')`,
];

describe('records of operations of versions that named the user and the operation of a key', () => {
  it('keep their results, and their keys are found by one digest (platform N-20, N-22)', {
    timeout: 300_000,
  }, async () => {
    const driver = storeDrivers().at(-1);
    if (driver === undefined) throw new Error('There is no store driver to test with.');
    const { store, dispose } = await driver.create();
    try {
      await migrateToEarlier(store, kernelPlugin, { before: '0012', without: [] });
      await store.transaction('kernel', async (tx) => {
        for (const row of rows) await tx.query(row);
      });
      await store.migrate(migrationSets([kernelPlugin]));
      const { keys, records } = await store.transaction('kernel', async (tx) => ({
        keys: await tx.query(sql`
          SELECT graph_id, encode(key_hash, 'hex') AS key, operation_id, is_of_worker
          FROM kernel_idempotency ORDER BY graph_id DESC`),
        records: await tx.query(sql`SELECT id, result, packed_result FROM kernel_operation`),
      }));
      const keyOf = (scope: string): string => sha256(`${scope} ${sha256('key')}`).slice(0, 32);
      const run = { operation_id: 'op_1', is_of_worker: true };
      expect(keys).toEqual([
        { graph_id: 'kg1', key: keyOf('user_1 kg1 add-note'), ...run },
        { graph_id: '-', key: keyOf('user_1 - create-graph'), ...run },
      ]);
      expect(records).toEqual([{ id: 'op_1', result: { text: 'old' }, packed_result: null }]);
    } finally {
      await dispose();
      await driver.stop();
    }
  });
});
