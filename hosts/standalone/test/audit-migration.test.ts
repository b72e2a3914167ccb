/** @module-tag sessions */
import { sql, type Transaction } from '@pacioli/core';
import { auditChains, kernelPlugin } from '@pacioli/core/assembly';
import { storeDrivers } from '@pacioli/store-postgres/testing';
import { startTestService, tamper } from '@pacioli/testing';
import { describe, expect, it } from 'vitest';
import { migrateToEarlier } from './earlier-migrations.ts';

const rows = [
  sql`INSERT INTO kernel_security_audit (id, event_type, risk, details, at)
    VALUES ('sec_2', 'logout', 'low', '{}', '2026-02-02'), ('sec_1', 'auth_success', 'low', '{}', '2026-02-01')`,
  sql`INSERT INTO kernel_operation_audit (operation_id, user_id, operation, surface, status, duration_ms, input_fingerprint, request_id, credential, at)
    VALUES ('op_1', 'user_1', 'create-graph', 'worker', 'completed', 7, 'f', 'r', 'jwt', '2026-02-01')`,
];

/** Declared tables and functions of the version that seals in batches. */
const batches = ['kernel_chain_batch', 'kernel_expire_single_seals'];

describe('audit rows of versions without a hash chain', () => {
  it('are sealed in order of their time, and are append-only afterward (platform P-30)', {
    timeout: 300_000,
  }, async () => {
    const driver = storeDrivers().at(-1);
    if (driver === undefined) throw new Error('There is no store driver to test with.');
    const { store, dispose } = await driver.create();
    try {
      const links = ['kernel_security_audit_chain_link', 'kernel_operation_audit_chain_link'];
      const chain = ['kernel_chain', 'kernel_seal_chain', 'kernel_expire_audit', ...links, ...batches];
      const without = [...chain, 'kernel_open_runs_of_user'];
      await migrateToEarlier(store, kernelPlugin, { before: '0009', without });
      for (const row of rows) await store.transaction('kernel', (tx) => tx.query(row));
      const { close, newUser } = await startTestService({ plugins: [], store, worker: false });
      await newUser();
      const { ids, broken } = await store.transaction('kernel', async (tx) => {
        for (const chain of Object.values(auditChains)) await chain.seal(tx);
        return {
          ids: await tx.query(sql<{ id: string }>`SELECT id FROM kernel_security_audit ORDER BY written`),
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

describe('audit rows that earlier versions sealed one by one', () => {
  it('keep their seals, which batches continue, and expire before them (platform A-29)', {
    timeout: 300_000,
  }, async () => {
    const driver = storeDrivers().at(-1);
    if (driver === undefined) throw new Error('There is no store driver to test with.');
    const { store, dispose } = await driver.create();
    const { security, operations } = auditChains;
    const inKernel = <T>(work: (tx: Transaction) => Promise<T>) => store.transaction('kernel', work);
    const broken = () => inKernel((tx) => security.broken(tx, 20));
    const seal = () => inKernel((tx) => security.seal(tx));
    try {
      await migrateToEarlier(store, kernelPlugin, { before: '0014', without: batches });
      for (const row of rows) await inKernel((tx) => tx.query(row));
      expect([await seal(), await inKernel((tx) => operations.seal(tx))]).toEqual([2, 1]);
      const sealed = sql<{ seq: number; hash: string }>`
        SELECT seq, encode(hash, 'hex') AS hash FROM kernel_security_audit WHERE seq IS NOT NULL ORDER BY seq`;
      const before = await inKernel((tx) => tx.query(sealed));
      // Not sealed before the migration.
      await inKernel((tx) =>
        tx.query(sql`INSERT INTO kernel_security_audit (id, event_type, risk, details, at)
        VALUES ('sec_3', 'logout', 'low', '{}', '2026-02-03')`),
      );
      const { close } = await startTestService({ plugins: [], store, worker: false });
      expect(await inKernel((tx) => security.head(tx))).toEqual(before[1]);
      expect([await broken(), await seal(), await broken()]).toEqual([[], expect.any(Number), []]);
      expect(await inKernel((tx) => tx.query(sealed))).toEqual(before);
      expect(await inKernel((tx) => security.hadHead(tx, before[1] ?? { seq: 0, hash: '' }))).toBe(true);
      expect(await inKernel((tx) => security.hadHead(tx, { seq: 2, hash: '00' }))).toBe(false);
      for (const [statement, finding] of [
        [`UPDATE kernel_security_audit SET risk = 'high' WHERE id = 'sec_2'`, ['row 1 sec_2 (changed)']],
        [`UPDATE kernel_security_audit SET risk = 'high' WHERE id = 'sec_3'`, ['row 3 sec_3 (changed)']],
        [`DELETE FROM kernel_security_audit WHERE id = 'sec_2'`, ['row 1 (missing)']],
        [`DELETE FROM kernel_security_audit WHERE id = 'sec_1'`, ['row 2 (missing)']],
        [`DELETE FROM kernel_security_audit WHERE id = 'sec_3'`, ['row 3 (missing)']],
        // The row of a batch as one that an earlier version sealed, and the other way round.
        [
          `UPDATE kernel_security_audit SET seq = 3, prev_hash = '', hash = '' WHERE id = 'sec_3'`,
          ['row 3 sec_3 (not sealed by the service)'],
        ],
        [
          `UPDATE kernel_security_audit SET seq = NULL, prev_hash = NULL, hash = NULL WHERE id = 'sec_1'`,
          ['row 2 (missing)'],
        ],
      ] as const) {
        await tamper(store, `CREATE TABLE kept AS SELECT * FROM kernel_security_audit; ${statement}`);
        expect(await broken()).toEqual(finding);
        await tamper(
          store,
          `DELETE FROM kernel_security_audit;
            INSERT INTO kernel_security_audit OVERRIDING SYSTEM VALUE SELECT * FROM kept; DROP TABLE kept`,
        );
        expect(await broken()).toEqual([]);
      }
      const expire = () => inKernel((tx) => security.expire(tx, new Date('2026-02-04'), 100));
      expect([await expire(), await expire(), await expire()]).toEqual([2, 1, 0]);
      expect(await broken()).toEqual([]);
      await close();
    } finally {
      await dispose();
      await driver.stop();
    }
  });
});
