/** @module-tag sessions */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MemoryTestService, memoryOf, startMemory } from '../../test/memory-service.ts';

let run: MemoryTestService;
beforeAll(async () => {
  run = await startMemory();
});
afterAll(() => run.service.close());

describe('forget', () => {
  it('deletes a memory, once; an unknown id is no error (ME-7)', async () => {
    const memory = memoryOf(run.owner, await run.owner.createGraph('Forgetful', []));
    const kept = (await memory.remember('The office invoices in euros.')).body.result;
    const { id } = (await memory.remember('The office is in Hamburg.')).body.result;
    const answers = [await memory.forget(id), await memory.forget(id), await memory.forget('mem_%')];
    expect(answers.map(({ status, body }) => [status, body.result])).toEqual([
      [200, { id, deleted: true }],
      [200, { id, deleted: false }],
      [200, { id: 'mem_%', deleted: false }],
    ]);
    expect((await memory.get(id)).status).toBe(404);
    expect((await memory.list()).body.memories).toEqual([kept]);
    expect((await memory.recall('office')).body.hits).toMatchObject([{ document_id: kept.id }]);
    // Its text can be stored again, as a new memory.
    expect((await memory.remember('The office is in Hamburg.')).body.result.id).not.toBe(id);
  });
});
