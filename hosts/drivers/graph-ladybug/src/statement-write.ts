import {
  GraphStoreError,
  type GraphValue,
  type QueryParameters,
  type RowStream,
  type RunOptions,
} from '@pacioli/core/ports';
import { type NamedStatement, nameColumns, writtenRowStream } from '@pacioli/graph-statements';
import type { EngineProcess } from './engine-process.ts';
import type { Rerun, WrittenRows } from './protocol.ts';
import { checkedParameters, firstRun, graceMs, inReturn, rerunOf } from './statement-run.ts';

/** Runs one writing statement in its own transaction and returns its rows when it is durable. */
export async function writeStatement(
  worker: EngineProcess,
  masked: string,
  text: string,
  parameters: QueryParameters,
  options: RunOptions,
): Promise<RowStream> {
  const bound = checkedParameters(masked, parameters);
  if (options.signal.aborted) throw new GraphStoreError('cancelled', 'The query was canceled.');
  const deadline = Date.now() + options.timeoutMs;
  const statement = nameColumns(text);
  const { maxRows } = options;
  const ask = (current: string, rerun: Rerun): Promise<WrittenRows> => {
    const timeoutMs = Math.max(1, deadline - Date.now());
    return killedIfLate(
      worker,
      timeoutMs,
      worker.call('write', { text: current, parameters: bound, timeoutMs, maxRows, ...rerun }),
    );
  };
  worker.running += 1;
  try {
    const first = await ask(statement.text, firstRun);
    const written = first.inexact.length === 0 ? first : await askAgain(statement, first, ask);
    const rows = written.rows as readonly GraphValue[][]; // Received by message, so nothing else references them.
    const { isTruncated } = written;
    return writtenRowStream({ columns: statement.names ?? written.names, rows, isTruncated }, options.rowsPerChunk);
  } finally {
    worker.running -= 1;
  }
}

/** Nothing was written yet; the columns that would lose digits are selected as text now. */
function askAgain(
  statement: NamedStatement,
  first: WrittenRows,
  ask: (text: string, rerun: Rerun) => Promise<WrittenRows>,
): Promise<WrittenRows> {
  const rerun = rerunOf(first);
  const text = statement.withText(Object.keys(rerun.casts).map(Number), rerun.texts);
  if (text === undefined) {
    throw new GraphStoreError(
      'runtime',
      `Nothing was written, because some columns would lose digits: ${inReturn(first)}`,
    );
  }
  return ask(text, rerun);
}

/** A statement that does not stop on time ends with its process, so that it cannot commit later. */
async function killedIfLate(
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
