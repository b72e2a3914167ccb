import type { Caller } from '../define/context.ts';
import { resultOf } from '../envelope/packed-result.ts';
import { terminalStates } from '../jobs/events.ts';
import type { OperationRow, Operations } from '../jobs/operations.ts';
import type { ToolCall, ToolResult } from './catalog.ts';
import { errorResult, resultOfValue } from './results.ts';

/** The pause between two reads of a run: short for one that ends at once, longer for one that takes minutes. */
const firstPauseMs = 50;
const maxPauseMs = 1_000;

interface FollowedRun {
  readonly caller: Caller;
  readonly operationId: string;
  /** Ends at the limit of the tool. */
  readonly deadline: AbortSignal;
  readonly call: Pick<ToolCall, 'signal' | 'progress'>;
}

/** Waits for a run and returns its result; a caller who disconnects cancels it (ai-surface M-11, M-12). */
export async function followRun(operations: Operations, run: FollowedRun): Promise<ToolResult> {
  const { caller, operationId, deadline, call } = run;
  let shown = '';
  let pauseMs = firstPauseMs;
  for (;;) {
    const row = await operations.find(caller, operationId, 'read');
    if (terminalStates.has(row.status)) return { ...endOf(row, { isStructured: false }), operationId };
    if (row.status === 'awaiting_input') return { ...questionOf(row), operationId, isPending: true };
    const progress = await progressOf(operations, row);
    if (progress.message !== shown) call.progress?.(progress.message, progress.percent);
    shown = progress.message;
    if (call.signal.aborted) {
      await operations.cancel(caller, operationId, 'The client disconnected.').catch(() => undefined); // It may have ended.
      return { ...errorResult('cancelled', 'The call was canceled.'), operationId };
    }
    if (deadline.aborted) return { ...stillRunning(operationId), operationId, isPending: true };
    await pause(pauseMs, [call.signal, deadline]);
    pauseMs = Math.min(maxPauseMs, pauseMs * 2);
  }
}

/** The result of a run that has just been queued. */
export function startedRun(operationId: string, accepted: unknown): ToolResult {
  const value = { operation_id: operationId, status: 'pending', accepted: accepted ?? null };
  return { ...resultOfValue(value, { isStructured: false }), operationId, isPending: true };
}

/** The result of a run that has ended; `isStructured` if its tool declares the schema of its results. */
export function endOf(row: OperationRow, { isStructured }: { readonly isStructured: boolean }): ToolResult {
  if (row.status === 'completed') return resultOfValue(resultOf(row) ?? {}, { isStructured });
  if (row.status === 'cancelled') return errorResult('cancelled', 'The operation was canceled.');
  const code = row.error_details?.['code'];
  return errorResult(
    typeof code === 'string' ? code.toLowerCase() : 'command_failed',
    row.error ?? 'The operation failed. Try again later.',
  );
}

function questionOf(row: OperationRow): ToolResult {
  const value = { operation_id: row.id, status: row.status, input_request: row.input_request };
  return resultOfValue(value, { isStructured: false });
}

function stillRunning(operationId: string): ToolResult {
  const message = 'The operation did not end within the time limit of the call. It continues; ask for it later.';
  return resultOfValue({ operation_id: operationId, status: 'running', message }, { isStructured: false });
}

/** What a run that waits in the queue or is executed does. */
export async function progressOf(
  operations: Operations,
  row: OperationRow,
): Promise<{ readonly message: string; readonly percent?: number }> {
  if (row.status === 'pending') {
    const { position } = await operations.queuePosition(row);
    // A worker may have taken the run meanwhile.
    return { message: `Queued (position ${Math.max(1, position)})` };
  }
  const { message, percentage } = row.progress ?? {};
  return {
    message: typeof message === 'string' ? message : 'Running',
    ...(typeof percentage === 'number' ? { percent: percentage } : {}),
  };
}

function pause(ms: number, ends: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    const signal = AbortSignal.any([...ends]);
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}
