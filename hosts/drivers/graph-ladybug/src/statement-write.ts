import {
  GraphStoreError,
  type GraphValue,
  type QueryParameters,
  type RowStream,
  type RunOptions,
} from '@pacioli/core/ports';
import type { EngineProcess } from './engine-process.ts';
import type { WrittenRows } from './protocol.ts';
import { nameColumns } from './return-clause.ts';
import { checkedParameters, graceMs } from './statement-run.ts';

/** Runs one writing statement in its own transaction and returns its rows when it is durable. */
export async function writeStatement(
  worker: EngineProcess,
  masked: string,
  text: string,
  parameters: QueryParameters,
  options: RunOptions,
): Promise<RowStream> {
  const bound = checkedParameters(masked, parameters);
  if (options.signal.aborted) throw new GraphStoreError('cancelled', 'The query was cancelled.');
  const deadline = Date.now() + options.timeoutMs;
  const statement = nameColumns(text);
  const { maxRows } = options;
  const ask = (current: string, casts: Record<number, string>): Promise<WrittenRows> => {
    const timeoutMs = Math.max(1, deadline - Date.now());
    return withDeadline(
      worker,
      timeoutMs,
      worker.call('write', { text: current, parameters: bound, timeoutMs, casts, maxRows }),
    );
  };
  worker.running += 1;
  try {
    const first = await ask(statement.text, {});
    const written = first.inexact.length === 0 ? first : await askAgain(statement.withText(first.inexact), first, ask);
    return rowStream(statement.names ?? written.names, written, options);
  } finally {
    worker.running -= 1;
  }
}

/** Nothing was written yet; the columns that would lose digits are selected as text now. */
function askAgain(
  text: string | undefined,
  first: WrittenRows,
  ask: (text: string, casts: Record<number, string>) => Promise<WrittenRows>,
): Promise<WrittenRows> {
  if (text === undefined) {
    const columns = first.inexact.map((index) => first.names[index]).join(', ');
    throw new GraphStoreError(
      'runtime',
      `Nothing was written, because these columns would lose digits. Name them in RETURN one by one: ${columns}.`,
    );
  }
  return ask(text, Object.fromEntries(first.inexact.map((index) => [index, first.types[index] ?? 'STRING'])));
}

/** A statement that does not stop on time ends with its process, so that it cannot commit later. */
async function withDeadline(
  worker: EngineProcess,
  timeoutMs: number,
  writing: Promise<WrittenRows>,
): Promise<WrittenRows> {
  const late = new GraphStoreError(
    'timeout',
    `The statement took longer than ${timeoutMs} ms. It may have been written.`,
  );
  const timer = setTimeout(() => worker.kill(late), timeoutMs + graceMs);
  try {
    return await writing;
  } finally {
    clearTimeout(timer);
  }
}

function rowStream(columns: readonly string[], written: WrittenRows, { rowsPerChunk }: RunOptions): RowStream {
  const rows = written.rows as readonly GraphValue[][]; // Received by message, so nothing else references them.
  async function* chunks(): AsyncGenerator<readonly GraphValue[][]> {
    for (let from = 0; from < rows.length; from += rowsPerChunk) yield rows.slice(from, from + rowsPerChunk);
  }
  return {
    columns,
    summary: () => ({ rows: rows.length, truncated: written.isTruncated }),
    cancel: async () => undefined,
    [Symbol.asyncIterator]: chunks,
  };
}
