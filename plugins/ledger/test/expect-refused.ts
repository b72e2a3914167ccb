import type { Answer, TestService } from '@pacioli/testing';
import { expect } from 'vitest';
import { graphDigest } from './graph-digest.ts';

/** Sends a request that must change nothing, and returns its answer. */
export async function withoutChange(service: TestService, graph: string, send: () => Promise<Answer>): Promise<Answer> {
  const before = await graphDigest(service.store, graph);
  const answer = await send();
  expect(await graphDigest(service.store, graph)).toEqual(before);
  return answer;
}

/** Expects that a request is refused with this status and text, and that nothing changed. */
export async function expectRefused(
  service: TestService,
  graph: string,
  send: () => Promise<Answer>,
  [status, says]: readonly [status: number, says: RegExp | string],
): Promise<void> {
  const { status: given, body } = await withoutChange(service, graph, send);
  const detail = typeof says === 'string' ? expect.stringContaining(says) : expect.stringMatching(says);
  expect([given, body.detail]).toEqual([status, detail]);
}
