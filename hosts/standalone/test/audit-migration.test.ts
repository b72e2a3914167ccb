/** @module-tag sessions */
import { sql } from '@pacioli/core';
import { auditChains, kernelPlugin } from '@pacioli/core/assembly';
import { storeDrivers } from '@pacioli/store-postgres/testing';
import { startTestService } from '@pacioli/testing';
import { describe, expect, it } from 'vitest';
import { migrateToEarlier } from './earlier-migrations.ts';

const rows = [
  sql`INSERT INTO kernel_security_audit (id, event_type, risk, details, at)
    VALUES ('sec_2', 'logout', 'low', '{}', '2026-02-02'), ('sec_1', 'auth_success', 'low', '{}', '2026-02-01')`,
  sql`INSERT INTO kernel_operation_audit (operation_id, user_id, operation, surface, status, duration_ms, input_fingerprint, request_id, credential, at)
    VALUES ('op_1', 'user_1', 'create-graph', 'worker', 'completed', 7, 'f', 'r', 'jwt', '2026-02-01')`,
];

describe('audit rows of versions without a hash chain', () => {
  it('are sealed in order of their time, and are append-only afterward (platform P-30)', {
    timeout: 300_000,
  }, async () => {
    const driver = storeDrivers().at(-1);
    if (driver === undefined) throw new Error('There is no store driver to test with.');
    const { store, dispose } = await driver.create();
    try {
      const links = ['kernel_security_audit_chain_link', 'kernel_operation_audit_chain_link'];
      const chain = ['kernel_chain', 'kernel_seal_chain', 'kernel_expire_audit', ...links];
      const without = [...chain, 'kernel_open_runs_of_user'];
      await migrateToEarlier(store, kernelPlugin, { before: '0009', without });
      for (const row of rows) await store.transaction('kernel', (tx) => tx.query(row));
      const { close, newUser } = await startTestService({ plugins: [], store, worker: false });
      await newUser();
      const { ids, broken } = await store.transaction('kernel', async (tx) => {
        for (const chain of Object.values(auditChains)) await chain.seal(tx);
        return {
          ids: await tx.query(sql<{ id: string }>`SELECT id FROM kernel_security_audit ORDER BY seq`),
          broken: await Promise.all(Object.values(auditChains).map((chain) => chain.broken(tx, 20))),
        };
      });
      await expect(
        store.transaction('kernel', (tx) => tx.query(sql`DELETE FROM kernel_security_audit`)),
      ).rejects.toThrow('permission denied for table kernel_security_audit');
      await close();
      expect(ids.slice(0, 2).map(({ id }) => id)).toEqual(['sec_1', 'sec_2']);
      expect(ids.length).toBeGreaterThan(2);
      expect(broken).toEqual([[], []]);
    } finally {
      await dispose();
      await driver.stop();
    }
  });
});

describe('hash chain sealed by an earlier version', () => {
  it('continues from its last row, and its seals stay valid (platform P-30)', { timeout: 300_000 }, async () => {
    const driver = storeDrivers().at(-1);
    if (driver === undefined) throw new Error('There is no store driver to test with.');
    const { store, dispose } = await driver.create();
    const { security, operations } = auditChains;
    const seal = () => store.transaction('kernel', async (tx) => [await security.seal(tx), await operations.seal(tx)]);
    try {
      await migrateToEarlier(store, kernelPlugin, { before: '0011', without: [] });
      for (const row of rows) await store.transaction('kernel', (tx) => tx.query(row));
      expect(await seal()).toEqual([2, 1]);
      const before = await store.transaction('kernel', (tx) => security.head(tx));
      const { close, newUser } = await startTestService({ plugins: [], store, worker: false });
      await newUser();
      const [sealed] = await seal();
      expect(sealed).toBeGreaterThan(0);
      const { kept, broken } = await store.transaction('kernel', async (tx) => ({
        kept: await tx.query(sql<{ hash: string }>`
          SELECT encode(prev_hash, 'hex') AS hash FROM kernel_security_audit WHERE seq = 3`),
        broken: [await security.broken(tx, 20), await operations.broken(tx, 20)],
      }));
      await close();
      expect(before?.seq).toBe(2);
      expect(kept).toEqual([{ hash: before?.hash }]);
      expect(broken).toEqual([[], []]);
    } finally {
      await dispose();
      await driver.stop();
    }
  });
});
