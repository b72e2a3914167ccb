/** @module-tag sessions */
import { sql } from '@pacioli/core';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KernelOperation } from '../src/rows.gen.ts';
import { notesPlugin } from './notes-plugin.ts';

let service: TestService;
let user: TestClient;
let operations: string;

beforeAll(async () => {
  service = await startTestService({ plugins: [notesPlugin] });
  user = await service.newUser('Ann');
  operations = `/extensions/notes/${await user.createGraph('Notes', ['notes'])}/operations`;
});
afterAll(() => service.close());

const ask = <Row>(statement: ReturnType<typeof sql<Row>>): Promise<readonly Row[]> =>
  service.store.transaction('kernel', (tx) => tx.query(statement));

/** Long enough to be worth packing. */
const text = 'a note that says the same again '.repeat(20);

const stored = (id: string) =>
  ask(sql<Pick<KernelOperation, 'result'> & { readonly packed_bytes: number | null }>`
    SELECT result, length(packed_result) AS packed_bytes FROM kernel_operation WHERE id = ${id}`);

const addNote = (key: string) => user.post(`${operations}/add-note`, { text }, { 'idempotency-key': key });

describe('the result of an inline run', () => {
  it('is stored once and packed, and replayed as it was (platform N-22)', async () => {
    const first = await addNote('packed');
    const [row] = await stored(first.body.operationId);
    expect(row?.result).toBe(null);
    expect(row?.packed_bytes).toBeLessThan(JSON.stringify(first.body.result).length / 2);
    const again = await addNote('packed');
    expect(again.body).toEqual({ ...first.body, idempotentReplay: true });
    const status = await user.get(`/v1/operations/${first.body.operationId}/status`);
    expect(status.body.result).toEqual(first.body.result);
  });

  it('is replayed and shown as it was when an earlier version stored it unpacked (platform N-22)', async () => {
    const first = await addNote('unpacked');
    const { operationId, result } = first.body;
    await ask(
      sql`UPDATE kernel_operation SET packed_result = NULL, result = ${JSON.stringify(result)}::jsonb WHERE id = ${operationId}`,
    );
    expect(await stored(operationId)).toEqual([{ result, packed_bytes: null }]);
    const again = await addNote('unpacked');
    expect(again.body).toEqual({ ...first.body, idempotentReplay: true });
    const status = await user.get(`/v1/operations/${operationId}/status`);
    expect(status.body.result).toEqual(result);
  });
});
