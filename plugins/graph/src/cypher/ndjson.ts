import type { ResultRow, RowStream } from '@pacioli/core/ports';
import { rowWriter } from './json-values.ts';
import { streamFailure } from './stream-failure.ts';

const maxLineBytes = 1_000_000;

export interface StreamFacts {
  readonly graphId: string;
  now(): Date;
  /** Milliseconds since the engine received the statement. */
  elapsedMs(): number;
}

/** The lines of a response; fetches the next chunk after the last line is consumed (graphs Q-41, E-41). */
export async function* ndjsonLines(
  stream: Pick<RowStream, 'columns' | 'summary'>,
  chunks: AsyncIterable<readonly ResultRow[]>,
  facts: StreamFacts,
): AsyncGenerator<string> {
  const write = rowWriter(stream.columns);
  let sent = 0;
  let index = 0;
  const line = (rows: readonly string[]): string => {
    sent += rows.length;
    const columns = index === 0 ? `,"columns":${JSON.stringify(stream.columns)}` : '';
    const text = `{"chunk_index":${index},"rows":[${rows.join(',')}],"row_count":${rows.length},"total_rows_sent":${sent}${columns}}\n`;
    index += 1;
    return text;
  };
  try {
    for await (const chunk of chunks) {
      for (const rows of sizedLines(chunk.map(write))) yield line(rows);
    }
  } catch (error) {
    // Rethrows below, so that a reader that ignores this line still fails (graphs Q-42).
    const { isTimeout, message } = streamFailure(error);
    const failure = {
      error: message,
      error_type: isTimeout ? 'timeout' : 'stream_error',
      graph_id: facts.graphId,
      timestamp: facts.now().toISOString(),
    };
    yield `${JSON.stringify(failure)}\n`;
    throw error;
  }
  if (index === 0) yield line([]);
  const end = {
    complete: true,
    total_rows: sent,
    execution_time_ms: facts.elapsedMs(),
    graph_id: facts.graphId,
    timestamp: facts.now().toISOString(),
  };
  yield `${JSON.stringify(stream.summary().truncated ? { ...end, truncated: true } : end)}\n`;
}

/** Splits rows so that no line is much longer than one megabyte. */
function* sizedLines(rows: readonly string[]): Generator<readonly string[]> {
  let start = 0;
  let size = 0;
  for (let at = 0; at < rows.length; at += 1) {
    const length = rows[at]?.length ?? 0;
    if (at > start && size + length > maxLineBytes) {
      yield rows.slice(start, at);
      start = at;
      size = 0;
    }
    size += length;
  }
  if (start < rows.length) yield rows.slice(start);
}
