import type { Graph, RouteContext, StreamAnswer } from '@pacioli/core';
import type { ResultRow, RowStream } from '@pacioli/core/ports';
import type { AnalyticalGraph } from '../tokens.ts';
import type { AnswerForm } from './answer-form.ts';
import type { CheckedStatement } from './cypher-request.ts';
import { rowObject } from './json-values.ts';
import { ndjsonLines } from './ndjson.ts';
import { queryFailure } from './query-failure.ts';

type Chunk = readonly ResultRow[];

/** Runs a statement and returns its rows in the chosen format; reads the first chunk before sending anything. */
export async function answerStatement(
  analytical: AnalyticalGraph,
  graph: Graph,
  statement: CheckedStatement & Pick<Parameters<AnalyticalGraph['query']>[2], 'writes'>,
  form: AnswerForm,
  ctx: Pick<RouteContext, 'signal' | 'now'>,
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
  try {
    const first = await source.next();
    const second = first.done === true || form.kind !== 'decide' ? undefined : await source.next();
    const head = [first, second].flatMap((turn) => (turn === undefined || turn.done === true ? [] : [turn.value]));
    const isWhole = first.done === true || second?.done === true;
    if (form.kind === 'stream' || (form.kind === 'decide' && !isWhole)) {
      return streamAnswer(ndjsonLines(stream, rest(head, source, stream, form.maxTimeoutMs), facts), graph.id);
    }
    return await jsonAnswer(stream, rest(head, source, stream, form.maxTimeoutMs), facts);
  } catch (error) {
    await stream.cancel();
    throw queryFailure(error, { timeoutMs, elapsedMs: elapsedMs() });
  }
}

/** The chunks already read, then the others; closes the stream on every path, including when its reader disconnects. */
async function* rest(
  head: readonly Chunk[],
  source: AsyncIterator<Chunk>,
  stream: RowStream,
  maxTotalMs: number,
): AsyncGenerator<Chunk> {
  const timer = setTimeout(() => void stream.cancel(), maxTotalMs);
  timer.unref();
  try {
    yield* head;
    for (let turn = await source.next(); turn.done !== true; turn = await source.next()) yield turn.value;
  } finally {
    clearTimeout(timer);
    await stream.cancel();
  }
}

async function jsonAnswer(
  stream: RowStream,
  chunks: AsyncIterable<Chunk>,
  facts: { readonly graphId: string; now(): Date; elapsedMs(): number },
): Promise<Record<string, unknown>> {
  const data: Record<string, unknown>[] = [];
  for await (const chunk of chunks) {
    for (const row of chunk) data.push(rowObject(stream.columns, row));
  }
  return {
    success: true,
    data,
    columns: [...stream.columns],
    row_count: data.length,
    execution_time_ms: facts.elapsedMs(),
    graph_id: facts.graphId,
    timestamp: facts.now().toISOString(),
    ...(stream.summary().truncated
      ? {
          truncated: true,
          warning: `Only the first ${data.length} rows are given: add a LIMIT, or ask with mode=stream.`,
        }
      : {}),
  };
}

function streamAnswer(chunks: AsyncIterable<string>, graphId: string): StreamAnswer {
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
