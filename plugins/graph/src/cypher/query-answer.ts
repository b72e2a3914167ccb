import type { Graph, RouteContext, StreamAnswer } from '@pacioli/core';
import type { ResultRow } from '@pacioli/core/ports';
import type { AnalyticalGraph } from '../tokens.ts';
import type { AnswerForm } from './answer-form.ts';
import type { CheckedStatement } from './cypher-request.ts';
import { collectRows, maxAnswerBytes, shortened } from './json-answer.ts';
import { ndjsonLines } from './ndjson.ts';
import { queryFailure } from './query-failure.ts';
import { eventFrames } from './server-sent-events.ts';

type Chunk = readonly ResultRow[];

/** A stream whose first chunk came in time may take this long altogether (graphs Q-50). */
const maxStreamMs = 300_000;

/**
 * Runs a statement and returns its rows in the chosen format; reads the first chunk before sending anything. Calls
 * `release` when the last row was read, the time is over or the client left.
 */
export async function answerStatement(
  analytical: AnalyticalGraph,
  graph: Graph,
  statement: CheckedStatement & Pick<Parameters<AnalyticalGraph['query']>[2], 'writes'>,
  form: AnswerForm,
  ctx: Pick<RouteContext, 'signal' | 'now'> & { readonly release: () => void },
): Promise<unknown> {
  const started = performance.now();
  const elapsedMs = (): number => Math.round(performance.now() - started);
  const timeoutMs = Math.min(statement.timeoutMs, form.maxTimeoutMs);
  const { maxRows, rowsPerChunk } = form;
  const stream = await analytical.query(graph, statement, {
    timeoutMs,
    maxRows,
    rowsPerChunk,
    signal: ctx.signal,
    ...(statement.writes === undefined ? {} : { writes: statement.writes }),
  });
  const source = stream[Symbol.asyncIterator]();
  const facts = { graphId: graph.id, now: ctx.now, elapsedMs };
  const close = async (): Promise<void> => {
    clearTimeout(timer);
    ctx.signal.removeEventListener('abort', abandon);
    await stream.cancel().finally(ctx.release);
  };
  // A response whose client leaves before the first read is never iterated, so its iterator cannot close the stream.
  const abandon = (): void => void close().catch(() => undefined);
  let timer = setTimeout(abandon, form.maxTimeoutMs).unref();
  ctx.signal.addEventListener('abort', abandon, { once: true });
  try {
    const first = await source.next();
    const second = first.done === true || form.kind !== 'decide' ? undefined : await source.next();
    const head = [first, second].flatMap((turn) => (turn === undefined || turn.done === true ? [] : [turn.value]));
    const isWhole = first.done === true || second?.done === true;
    const chunks = rest(head, source);
    if (form.kind === 'stream' || (form.kind === 'decide' && !isWhole)) {
      clearTimeout(timer);
      timer = setTimeout(abandon, maxStreamMs - elapsedMs()).unref();
      return form.stream === 'sse'
        ? eventAnswer(closing(eventFrames(stream, chunks, facts), close), graph.id)
        : lineAnswer(closing(ndjsonLines(stream, chunks, facts), close), graph.id);
    }
    const answer = await collectRows(stream, chunks, facts, maxAnswerBytes);
    await close();
    return form.isInteractive ? shortened(answer, statement.text) : answer;
  } catch (error) {
    await close();
    throw queryFailure(error, { timeoutMs, elapsedMs: elapsedMs() });
  }
}

/** The chunks already read, then the others. */
async function* rest(head: readonly Chunk[], source: AsyncIterator<Chunk>): AsyncGenerator<Chunk> {
  yield* head;
  for (let turn = await source.next(); turn.done !== true; turn = await source.next()) yield turn.value;
}

/** Closes the stream of the engine on every path, including when the reader of the response disconnects. */
async function* closing(frames: AsyncIterable<string>, close: () => Promise<void>): AsyncGenerator<string> {
  try {
    yield* frames;
  } finally {
    await close();
  }
}

function eventAnswer(chunks: AsyncIterable<string>, graphId: string): StreamAnswer {
  return {
    kind: 'stream',
    status: 200,
    contentType: 'text/event-stream; charset=utf-8',
    headers: { 'X-Graph-ID': graphId, 'Cache-Control': 'no-cache', 'X-Accel-Buffering': 'no' },
    chunks,
  };
}

function lineAnswer(chunks: AsyncIterable<string>, graphId: string): StreamAnswer {
  return {
    kind: 'stream',
    status: 200,
    contentType: 'application/x-ndjson',
    headers: {
      'X-Streaming': 'true',
      'X-Stream-Format': 'ndjson',
      'X-Graph-ID': graphId,
      'Cache-Control': 'no-cache',
      'X-Accel-Buffering': 'no',
    },
    chunks,
  };
}
