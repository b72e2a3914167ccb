/** @module-tag sessions */
import { startTestService, type TestService } from '@pacioli/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ plugins: [], worker: false });
  await service.newUser();
});
afterAll(() => service.close());

describe.each(['kernel_security_audit', 'kernel_operation_audit'])('%s', (table) => {
  it.each([
    ['changed', `UPDATE ${table} SET at = at`],
    ['deleted', `DELETE FROM ${table}`],
  ])('cannot be %s by the database role of the service (platform P-30, N-31)', async (_, statement) => {
    const refusal = await service.store
      .transaction('kernel', (tx) => tx.query(sql.raw(statement)))
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ message: `permission denied for table ${table}` });
    const [held] = await service.store.transaction('kernel', (tx) =>
      tx.query(sql<Record<string, boolean>>`
        SELECT has_table_privilege(${table}, 'SELECT') AS reads, has_table_privilege(${table}, 'INSERT') AS adds,
          has_table_privilege(${table}, 'UPDATE, DELETE, TRUNCATE') AS changes`),
    );
    expect(held).toEqual({ reads: true, adds: true, changes: false });
  });
});

describe('kernel_chain', () => {
  it('cannot be written by the database role of the service (platform P-30)', async () => {
    const [held] = await service.store.transaction('kernel', (tx) =>
      tx.query(sql<Record<string, boolean>>`
        SELECT has_table_privilege('kernel_chain', 'SELECT') AS reads,
          has_table_privilege('kernel_chain', 'INSERT, UPDATE, DELETE, TRUNCATE') AS writes`),
    );
    expect(held).toEqual({ reads: true, writes: false });
  });
});
