// Goal: the calls that the guide on memory prints work as it says. Method: they are run in their order.
import { readFileSync } from 'node:fs';
import type { Answer } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MemoryTestService, startMemory } from './memory-service.ts';

const guide = new URL('../../../docs/guide/13-memory.md', import.meta.url);

let run: MemoryTestService;
beforeAll(async () => {
  run = await startMemory();
});
afterAll(() => run.service.close());

describe('docs/guide/13-memory.md', () => {
  it('prints calls that work in their order', async () => {
    const path = `/v1/graphs/${await run.owner.createGraph('Guide', [])}`;
    const blocks = [...readFileSync(guide, 'utf8').matchAll(/```text\n([\s\S]*?)```/g)].map(([, text = '']) => text);
    const bodies: Answer['body'][] = [];
    for (const line of blocks.flatMap((block) => block.trim().split('\n'))) {
      const first: string = bodies[0]?.result.id ?? '';
      const [, method = '', rest = '', body] = /^(\S+) (\S+) ?(.*)$/.exec(line.replaceAll('FIRST', first)) ?? [];
      const answer = await run.owner.request(method, path + rest, body === '' ? undefined : body);
      expect([line, answer.status, answer.body.detail]).toEqual([line, 200, undefined]);
      bodies.push(answer.body);
    }
    const [fact, decision, due, closing, changed, facts, read, forgotten] = bodies;
    expect(due.hits[0].document_id).toBe(fact.result.id);
    expect(closing.hits.map((hit: Answer['body']) => hit.document_id)).toEqual([decision.result.id]);
    expect([facts.memories, read]).toEqual([[changed.result], changed.result]);
    expect(forgotten.result.deleted).toBe(true);
    expect(bodies).toHaveLength(8);
  });
});
