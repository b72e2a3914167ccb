import type { ResultRow, RowStream } from '@pacioli/core/ports';
import { rowWriter } from './json-values.ts';
import type { StreamFacts } from './ndjson.ts';
import { streamFailure } from './stream-failure.ts';

const pingMs = 15_000;
const chunksPerProgress = 10;

/** The events of a response; fetches the next chunk after the last event is consumed (graphs Q-43). */
export function eventFrames(
  stream: Pick<RowStream, 'columns' | 'summary'>,
  chunks: AsyncIterable<readonly ResultRow[]>,
  facts: StreamFacts,
): AsyncIterable<string> {
  return withPings(framesOf(stream, chunks, facts));
}

async function* framesOf(
  stream: Pick<RowStream, 'columns' | 'summary'>,
  chunks: AsyncIterable<readonly ResultRow[]>,
  facts: StreamFacts,
): AsyncGenerator<string> {
  const write = rowWriter(stream.columns);
  const where = (): object => ({ graph_id: facts.graphId, timestamp: facts.now().toISOString() });
  let rows = 0;
  let count = 0;
  yield frame('started', where());
  yield frame('schema', { columns: stream.columns });
  try {
    for await (const chunk of chunks) {
      rows += chunk.length;
      count += 1;
      const texts = chunk.map(write).join(',');
      yield `event: chunk\ndata: {"chunk_number":${count},"rows":[${texts}],"rows_in_chunk":${chunk.length},"total_rows":${rows}}\n\n`;
      if (count % chunksPerProgress === 0) {
        yield frame('progress', { total_rows: rows, chunks: count, elapsed_seconds: facts.elapsedMs() / 1_000 });
      }
    }
  } catch (error) {
    const { isTimeout, message } = streamFailure(error);
    yield frame(isTimeout ? 'timeout' : 'error', { error: message, total_rows: rows, ...where() });
    return;
  }
  yield frame('complete', {
    total_rows: rows,
    total_chunks: count,
    execution_time_seconds: facts.elapsedMs() / 1_000,
    ...where(),
    ...(stream.summary().truncated ? { truncated: true } : {}),
  });
}

const frame = (event: string, data: object): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** Adds a comment while the next frame is awaited for long, so that proxies keep the connection (graphs E-44). */
async function* withPings(frames: AsyncGenerator<string>): AsyncGenerator<string> {
  let timer: NodeJS.Timeout | undefined;
  try {
    let next = frames.next();
    for (;;) {
      const silence = new Promise<'silence'>((resolve) => {
        timer = setTimeout(() => resolve('silence'), pingMs);
      });
      const turn = await Promise.race([next, silence]);
      clearTimeout(timer);
      if (turn === 'silence') {
        yield ': ping\n\n';
        continue;
      }
      if (turn.done === true) return;
      yield turn.value;
      next = frames.next();
    }
  } finally {
    clearTimeout(timer);
    await frames.return(undefined);
  }
}
