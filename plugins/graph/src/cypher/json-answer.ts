import { maskStatement, type ResultRow, type RowStream } from '@pacioli/core/ports';
import { rowObject } from './json-values.ts';
import type { StreamFacts } from './ndjson.ts';

/** A single response holds at most about this much; more rows are cut off (graphs L-6). */
export const maxAnswerBytes = 50_000_000;
/** The result of a queued statement is stored, so it may hold less. */
export const maxStoredBytes = 10_000_000;
const maxInteractiveRows = 1_000;

/** Reads rows into a single response, up to a size (graphs Q-40). */
export async function collectRows(
  stream: Pick<RowStream, 'columns' | 'summary'>,
  chunks: AsyncIterable<readonly ResultRow[]>,
  facts: StreamFacts,
  maxBytes: number,
): Promise<JsonAnswer> {
  const data: Record<string, unknown>[] = [];
  let bytes = 0;
  let isCut = false;
  for await (const chunk of chunks) {
    for (const row of chunk) {
      const object = rowObject(stream.columns, row);
      bytes += roughBytes(object);
      isCut ||= bytes > maxBytes;
      if (isCut) break;
      data.push(object);
    }
    if (isCut) break;
  }
  const isTruncated = isCut || stream.summary().truncated;
  return {
    success: true,
    data,
    columns: [...stream.columns],
    row_count: data.length,
    execution_time_ms: facts.elapsedMs(),
    graph_id: facts.graphId,
    timestamp: facts.now().toISOString(),
    ...(isTruncated
      ? {
          truncated: true,
          warning: `Only the first ${data.length} rows are given: add a LIMIT, or ask with mode=stream.`,
        }
      : {}),
  };
}

export type JsonAnswer = Record<string, unknown> & { readonly data: readonly unknown[]; readonly truncated?: boolean };

/** An interactive client that gave no limit gets the first rows instead of ten thousand (graphs Q-34). */
export function shortened(answer: JsonAnswer, statement: string): JsonAnswer {
  const hasLimit = /\bLIMIT\b/i.test(maskStatement(statement).text);
  if (answer.truncated !== true || hasLimit || answer.data.length <= maxInteractiveRows) return answer;
  return {
    ...answer,
    data: answer.data.slice(0, maxInteractiveRows),
    row_count: maxInteractiveRows,
    truncated_at: maxInteractiveRows,
    warning: `The statement has no LIMIT and more than ${answer.data.length} rows, so only the first ${maxInteractiveRows} are given.`,
    suggestion: 'Add a LIMIT, or ask with mode=stream for all rows.',
  };
}

/** The length of a value as JSON, without writing it: a few bytes for each value, and the length of texts. */
function roughBytes(value: unknown): number {
  if (typeof value === 'string') return value.length + 3;
  if (typeof value !== 'object' || value === null) return 8;
  let bytes = 2;
  for (const [name, content] of Object.entries(value)) bytes += name.length + 3 + roughBytes(content);
  return bytes;
}
