import { ServiceError } from '@pacioli/core';
import { GraphStoreError } from '@pacioli/core/ports';
import { describe, expect, it } from 'vitest';
import { isEngineFault, queryFailure } from './query-failure.ts';

const time = { timeoutMs: 1_000, elapsedMs: 1_000 };
const running = new AbortController().signal;

describe('a statement that ends without rows', () => {
  it.each([
    ['timeout', true],
    ['memory', true],
    ['unavailable', true],
    ['engine', true],
    ['syntax', false],
    ['bind', false],
    ['parameter', false],
    ['runtime', false],
    ['read-only', false],
  ] as const)(
    'with the code %s of the engine counts as a failure of the graph: %s (graphs H-1, Q-54)',
    (code, isFault) => {
      const failure = queryFailure(new GraphStoreError(code, 'No.'), time);
      expect(isEngineFault(failure, running)).toBe(isFault);
    },
  );

  it('is not a failure of the graph if the queue was full or the client disconnected (graphs Q-54)', () => {
    expect(isEngineFault(new ServiceError('unavailable', 'GRAPH_UNAVAILABLE', 'Too many wait.'), running)).toBe(false);
    const stopped = queryFailure(new GraphStoreError('cancelled', 'It was cancelled.'), time);
    expect(isEngineFault(stopped, AbortSignal.abort())).toBe(false);
  });
});
