import type { OperationRuns, RunState, Store } from '@pacioli/core';

const pollMs = 100;

/** The states in which nothing more happens without the caller. */
const settled: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled', 'awaiting_input']);

/**
 * Waits until a run has ended or asks for input, its caller has left, or `waitMs` have passed. Returns its last state;
 * undefined without a wait.
 */
export async function untilEnded(
  { runs, store }: { readonly runs: OperationRuns; readonly store: Store },
  operationId: string,
  { waitMs, signal }: { readonly waitMs: number; readonly signal: AbortSignal },
): Promise<RunState | undefined> {
  if (waitMs === 0) return undefined;
  const deadline = performance.now() + waitMs;
  for (;;) {
    const state = await store.transaction('kernel', (tx) => runs.state(tx, operationId), { readOnly: true });
    const leftMs = deadline - performance.now();
    if (state === undefined || settled.has(state.status) || leftMs <= 0 || signal.aborted) return state;
    await new Promise((resolve) => setTimeout(resolve, Math.min(pollMs, leftMs)));
  }
}
