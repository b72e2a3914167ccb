import type { StreamAnswer } from '@pacioli/core';
import type { RowStream } from '@pacioli/core/ports';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { AnalyticalGraph } from '../tokens.ts';
import { answerForm } from './answer-form.ts';
import { answerStatement } from './query-answer.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('lets a stream whose first chunk came in time go on for 300 seconds, beyond the limit of the tier (graphs Q-50)', async () => {
  const cancel = vi.fn(async () => undefined);
  const rows: RowStream = {
    columns: ['n'],
    summary: () => ({ rows: 2, truncated: false }),
    cancel,
    async *[Symbol.asyncIterator]() {
      yield [[1]];
      yield [[2]];
    },
  };
  const form = answerForm({
    mode: 'stream',
    isWrite: false,
    isTest: false,
    userAgent: '',
    accept: 'application/x-ndjson',
    prefer: '',
    chunk_size: 1,
    tier: { maxSeconds: 30, streamChunkRows: 1_000 },
  });
  const analytical = { query: async () => rows } as unknown as AnalyticalGraph; // Only the rows are of interest.
  const graph = { id: 'kg1' } as Parameters<typeof answerStatement>[1];
  const statement = { text: 'MATCH (n) RETURN n', timeoutMs: 30_000 } as Parameters<typeof answerStatement>[2];
  const ctx = { signal: new AbortController().signal, now: () => new Date(0), release: () => undefined };
  const answer = (await answerStatement(analytical, graph, statement, form, ctx)) as StreamAnswer;
  await vi.advanceTimersByTimeAsync(299_000);
  expect(cancel).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(cancel).toHaveBeenCalledOnce();
  expect(answer.contentType).toBe('application/x-ndjson');
});
