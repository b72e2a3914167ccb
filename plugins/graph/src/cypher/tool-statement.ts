import { type Graph, model, openObject, ServiceError, type ToolContext } from '@pacioli/core';
import { Type } from 'typebox';
import type { AnalyticalGraph, QueuedTurn } from '../tokens.ts';
import { checkedStatement } from './cypher-request.ts';
import { collectRows } from './json-answer.ts';
import { queryFailure } from './query-failure.ts';
import type { QuerySlots } from './query-slots.ts';
import { refuseSensitiveNames } from './sensitive-statement.ts';

/** The limits of a statement of an AI client (ai-surface 5.4). */
const timeoutMs = 30_000;
const maxRows = 1_000;
const rowsPerChunk = 500;
/** From the call to its end, with the wait for its turn (ai-surface M-13). */
const maxCallMs = 300_000;
/** Rows beyond it would be cut off in the text of the result. */
const maxBytes = 150_000;

export const statementArguments = (title: string) =>
  model(
    title,
    {
      query: Type.String({ minLength: 1, maxLength: 50_000, description: 'One Cypher statement.' }),
      parameters: Type.Optional(openObject()),
    },
    { closed: true },
  );

export const statementRows = model('StatementRows', {
  rows: Type.Array(openObject()),
  row_count: Type.Integer(),
  truncated: Type.Boolean(),
  advice: Type.Optional(Type.String()),
});

interface ToolStatement {
  readonly input: { readonly query: string; readonly parameters?: Readonly<Record<string, unknown>> };
  readonly ctx: Pick<ToolContext, 'caller' | 'now' | 'signal'> & { readonly graph: Graph };
  readonly use: { readonly analyticalGraph: AnalyticalGraph; readonly slots: QuerySlots };
  /** Only with it may the statement write. */
  readonly writes?: 'allowed';
  readonly turn?: QueuedTurn;
}

/** The wait of a caller who reads a stream: its place is reported, and leaves the statement its time (ai-surface M-13). */
export function reportedTurn(report: (message: string) => void): QueuedTurn {
  return {
    maxWaitMs: maxCallMs - timeoutMs,
    waiting: (position) => report(`Queued (position ${position})`),
    overdue: () => {
      const message = `Error: queued query did not complete within ${maxCallMs / 1_000} seconds`;
      return new ServiceError('rate_limited', 'CONCURRENCY_LIMIT', message, { headers: { 'Retry-After': '60' } });
    },
  };
}

function adviceFor(rows: number): string {
  if (rows === 0) return 'The first row is too long for a result. Return fewer or shorter values.';
  return `Only the first ${rows} rows are given. Add a LIMIT or narrow the query.`;
}

const busy = new ServiceError('rate_limited', 'CONCURRENCY_LIMIT', 'The graph is busy.');

/** A turn that never waits: a statement that cannot start now is refused with an error for which `isBusy` is true. */
export const noWait: QueuedTurn = { maxWaitMs: 0, overdue: () => busy };
export const isBusy = (error: unknown): boolean => error === busy;

/** Runs one statement of an AI client and returns its first rows. */
export async function runForTool({ input, ctx, use, writes, turn }: ToolStatement) {
  const statement = checkedStatement(input);
  refuseSensitiveNames(statement);
  const started = performance.now();
  const elapsedMs = (): number => Math.round(performance.now() - started);
  const release = use.slots.take(ctx.caller.userId);
  try {
    const options = { timeoutMs, maxRows, rowsPerChunk, signal: ctx.signal };
    const stream = await use.analyticalGraph.query(ctx.graph, statement, {
      ...options,
      ...(writes === undefined ? {} : { writes }),
      ...(turn === undefined ? {} : { turn }),
    });
    try {
      const facts = { graphId: ctx.graph.id, now: ctx.now, elapsedMs };
      const { data, truncated = false } = await collectRows(stream, stream, facts, maxBytes);
      return {
        rows: data as Record<string, unknown>[], // Rows are objects by column.
        row_count: data.length,
        truncated,
        ...(truncated ? { advice: adviceFor(data.length) } : {}),
      };
    } finally {
      await stream.cancel();
    }
  } catch (error) {
    throw queryFailure(error, { timeoutMs, elapsedMs: elapsedMs() });
  } finally {
    release();
  }
}
