/** @module-tag sessions */
import { sql } from '@pacioli/core';
import { fixedClock, startTestService, type TestClient, type TestService, tamper } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notesPlugin } from './notes-plugin.ts';

const dayMs = 86_400_000;
const clock = fixedClock('2026-03-02T09:00:00Z');
let service: TestService;
let user: TestClient;
let operations: string;

beforeAll(async () => {
  service = await startTestService({ plugins: [notesPlugin], clock });
  user = await service.newUser('Ann');
  const graph = await user.createGraph('Notes', ['notes']);
  operations = `/extensions/notes/${graph}/operations`;
});
afterAll(() => service.close());

const ask = async <Row>(statement: ReturnType<typeof sql<Row>>): Promise<readonly Row[]> =>
  service.store.transaction('kernel', (tx) => tx.query(statement));

/** The numbers of rows that the given operations have left. */
const left = async (ids: readonly string[]) => {
  const given = sql`jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)`;
  const [row] = await ask(sql<{ keys: number; records: number; events: number; audited: number }>`
    SELECT (SELECT count(*) FROM kernel_idempotency WHERE operation_id IN (SELECT ${given})) AS keys,
      (SELECT count(*) FROM kernel_operation WHERE id IN (SELECT ${given})) AS records,
      (SELECT count(DISTINCT operation_id) FROM kernel_operation_event WHERE operation_id IN (SELECT ${given})) AS events,
      (SELECT count(DISTINCT operation_id) FROM kernel_operation_audit WHERE operation_id IN (SELECT ${given})) AS audited`);
  return row;
};

describe('the records of operations', () => {
  it('are removed when their retention ends: keys after a day, runs after seven (platform N-23, L-20)', async () => {
    const inline = await user.post(`${operations}/add-note`, { text: 'kept' }, { 'idempotency-key': 'inline' });
    const queued = await user.post(`${operations}/copy-notes`, { steps: 1 }, { 'idempotency-key': 'queued' });
    const ids = [inline.body.operationId, queued.body.operationId];
    expect((await user.follow(queued.body.operationId)).body.status).toBe('completed');
    expect(await left(ids)).toEqual({ keys: 2, records: 2, events: 1, audited: 2 });
    clock.advance(dayMs + 3_600_000);
    await expect.poll(() => left(ids), { timeout: 300_000 }).toMatchObject({ keys: 0, records: 2, events: 1 });
    clock.advance(6 * dayMs);
    await expect.poll(() => left(ids), { timeout: 300_000 }).toEqual({ keys: 0, records: 0, events: 0, audited: 2 });
  });

  it('are removed at most 5,000 at a time, and never while a run is open (platform L-20)', async () => {
    await tamper(
      service.store,
      `CREATE TABLE removal (place serial, removed integer);
      GRANT SELECT ON removal TO pacioli_app;
      CREATE FUNCTION note_removal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
        BEGIN INSERT INTO removal (removed) SELECT count(*) FROM gone; RETURN NULL; END $$;
      CREATE TRIGGER note_removal AFTER DELETE ON kernel_operation REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION note_removal()`,
    );
    const now = clock.now();
    const insert = (count: number, finishedAt: Date | null) => sql`
      INSERT INTO kernel_operation (id, user_id, name, runs, status, created_at, updated_at, finished_at)
      SELECT 'op_' || gen_random_uuid(), 'user_x', 'bulk', 'worker', ${finishedAt === null ? 'awaiting_input' : 'completed'},
        ${now}, ${now}, ${finishedAt} FROM generate_series(1, ${count}::integer)`;
    await ask(insert(11_000, now));
    await ask(insert(3, null));
    clock.advance(7 * dayMs);
    const remaining = () => ask(sql`SELECT status, count(*) FROM kernel_operation WHERE name = 'bulk' GROUP BY status`);
    await expect.poll(remaining, { timeout: 300_000 }).toEqual([{ status: 'awaiting_input', count: 3 }]);
    const removed = await ask(sql<{ removed: number }>`SELECT removed FROM removal WHERE removed > 0 ORDER BY place`);
    expect(removed.map((each) => each.removed)).toEqual([5_000, 5_000, 1_000]);
  });
});
