/** @module-tag sessions */
import { createHash } from 'node:crypto';
import { startTestService, type TestService } from '@pacioli/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notesPlugin } from './notes-plugin.ts';

/** The embedded store has one session: a second request waits for the first transaction, not for its row. */
const hasServer = (process.env['PACIOLI_TEST_STORES'] ?? '').includes('server');
const why = hasServer ? '' : ' (left out: the embedded store has one session)';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ plugins: [notesPlugin], storeOptions: { maxLockMs: 100 } });
});
afterAll(async () => {
  await service.close();
});

describe.runIf(hasServer)(`a request whose idempotency key is in use by another one${why}`, () => {
  it('is told to retry after the other has ended, and then runs (platform N-21)', async () => {
    const user = await service.newUser('Ann');
    const graph = await user.createGraph('Notes', ['notes']);
    const userId = (await user.get('/v1/user')).body.id;
    const request = () =>
      user.post(`/extensions/notes/${graph}/operations/add-note`, { text: 'once' }, { 'idempotency-key': 'held' });
    const refusal = new Error('The other request fails.');
    const other = service.store.transaction('kernel', async (tx) => {
      await tx.query(sql`
        INSERT INTO kernel_idempotency (key_hash, graph_id, operation_id, is_of_worker, expires_at)
        VALUES (decode(${sha256(`${userId} ${graph} add-note ${sha256('held')}`).slice(0, 32)}, 'hex'), ${graph}, 'o',
          false, now() + interval '1 day')`);
      const answer = await request();
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({ code: 'IDEMPOTENCY_IN_PROGRESS' });
      expect(answer.headers.get('retry-after')).toBe('1');
      throw refusal;
    });
    await expect(other).rejects.toBe(refusal);
    expect((await request()).status).toBe(200);
  });
});

describe.runIf(hasServer)(`requests with one new idempotency key at the same time${why}`, () => {
  it('do the work once, and all get its result (platform N-22, N-23)', async () => {
    const { store, newUser, close } = await startTestService({ plugins: [notesPlugin] });
    try {
      const user = await newUser('Ann');
      const graph = await user.createGraph('Notes', ['notes']);
      for (const key of ['a', 'b', 'c']) {
        const call = () =>
          user.post(`/extensions/notes/${graph}/operations/add-note`, { text: key }, { 'idempotency-key': key });
        const answers = await Promise.all(Array.from({ length: 6 }, call));
        expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
        expect(new Set(answers.map(({ body }) => body.operationId)).size).toBe(1);
        expect(answers.filter(({ body }) => !body.idempotentReplay)).toHaveLength(1);
      }
      const claimed = await store.transaction({ graphId: graph }, (tx) =>
        tx.query(sql`SELECT operation_id FROM kernel_idempotency WHERE graph_id = ${graph}`),
      );
      expect(claimed).toHaveLength(3);
    } finally {
      await close();
    }
  });
});
