import { GraphStoreError, type ResultRow } from '@pacioli/core/ports';
import { describe, expect, it } from 'vitest';
import { ndjsonLines } from './ndjson.ts';
import { eventFrames } from './server-sent-events.ts';

const stream = { columns: ['n'], summary: () => ({ rows: 1, truncated: false }) };
const facts = { graphId: 'kg00000000000000000001', now: () => new Date('2026-04-01T00:00:00Z'), elapsedMs: () => 12 };
const timestamp = '2026-04-01T00:00:00.000Z';
const stopped = 'The query was stopped at its time limit, and the rows so far are not all.';
const failed = 'The query failed after it had begun to answer, and the rows so far are not all.';

/** One row, then an error of the engine. */
async function* failing(error: Error): AsyncGenerator<readonly ResultRow[]> {
  yield [[1]];
  throw error;
}

/** The last frame, and the error if the reader gets one. */
async function lastOf(frames: AsyncIterable<string>): Promise<{ last: string; error: unknown }> {
  let last = '';
  try {
    for await (const frame of frames) last = frame;
  } catch (error) {
    return { last, error };
  }
  return { last, error: undefined };
}

describe('a stream that fails after its first rows', () => {
  it.each([
    [new GraphStoreError('timeout', 'too long'), 'timeout', stopped],
    [new GraphStoreError('cancelled', 'interrupted'), 'timeout', stopped],
    [new GraphStoreError('unavailable', 'lost /var/lib/engine'), 'stream_error', failed],
    [new Error('password=secret'), 'stream_error', failed],
  ])('ends NDJSON with an error line and no complete line, and fails (graphs Q-42): %s', async (error, type, text) => {
    const { last, error: thrown } = await lastOf(ndjsonLines(stream, failing(error), facts));
    expect(JSON.parse(last)).toEqual({ error: text, error_type: type, graph_id: facts.graphId, timestamp });
    expect(thrown).toBe(error);
  });

  it.each([
    [new GraphStoreError('timeout', 'too long'), 'timeout', stopped],
    [new GraphStoreError('unavailable', 'lost /var/lib/engine'), 'error', failed],
  ])(
    'ends server-sent events with an event that counts the rows so far (graphs Q-43): %s',
    async (error, type, text) => {
      const { last } = await lastOf(eventFrames(stream, failing(error), facts));
      const data = { error: text, total_rows: 1, graph_id: facts.graphId, timestamp };
      expect(last).toBe(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
    },
  );
});
