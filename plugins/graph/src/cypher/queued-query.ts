import { answer, type Graph, type OperationRuns, type RouteContext } from '@pacioli/core';
import type { CheckedStatement } from './cypher-request.ts';

/** The name of the run in `runs/cypher-query.ts`. */
const runName = 'cypher-query';

/** The estimate of graphs Q-44. */
const secondsPerPlace = 2;

/** The stored input of a queued statement. It includes the decision whether the caller may write, made on acceptance. */
export interface QueuedQuery {
  readonly query: string;
  /** As JSON, in which every text begins with `s`, and `i` stands before a whole number beyond 2^53−1. */
  readonly parameters: string;
  readonly timeout_ms: number;
  /** Undefined if the statement may write; else the message with which a write is refused. */
  readonly write_refusal?: string;
}

/** Puts a statement into the queue and answers with where to follow it (graphs Q-44). */
export async function queueStatement(
  runs: OperationRuns,
  graph: Graph,
  statement: CheckedStatement & { readonly writes: 'allowed' | { readonly refusal: string } },
  ctx: Pick<RouteContext, 'caller' | 'requestId'>,
): Promise<unknown> {
  const { writes } = statement;
  const input: QueuedQuery = {
    query: statement.text,
    parameters: packParameters(statement.parameters),
    timeout_ms: statement.timeoutMs,
    ...(writes === 'allowed' ? {} : { write_refusal: writes.refusal }),
  };
  const { caller, requestId } = ctx;
  const { operationId, queuePosition } = await runs.startRun({ name: runName, caller, graph, input, requestId });
  return answer(202, {
    status: 'queued',
    query_id: operationId,
    operation_id: operationId,
    queue_position: queuePosition,
    estimated_wait_seconds: queuePosition * secondsPerPlace,
    message: 'The query is queued. Follow the stream of the operation, or read its status until it has ended.',
    _links: { self: `/v1/operations/${operationId}/status`, monitor: `/v1/operations/${operationId}/stream` },
  });
}

/** Parameters as JSON that keeps whole numbers beyond 2^53−1 (`QueuedQuery.parameters`). */
export function packParameters(parameters: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(parameters, (_name, value: unknown) => {
    if (typeof value === 'string') return `s${value}`;
    return typeof value === 'bigint' ? `i${value}` : value;
  });
}

export function unpackParameters(text: string): Readonly<Record<string, unknown>> {
  return JSON.parse(text, (_name, value: unknown) => {
    if (typeof value !== 'string') return value;
    return value.startsWith('i') ? BigInt(value.slice(1)) : value.slice(1);
  });
}
