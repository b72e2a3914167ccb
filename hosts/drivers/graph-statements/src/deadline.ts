import { GraphStoreError } from '@pacioli/core/ports';

/**
 * Waits for work until its deadline or a cancellation, whatever the engine does. `abandon` is called if either comes
 * first, because the work then continues.
 */
export async function withDeadline<T>(
  work: Promise<T>,
  limits: { readonly timeoutMs: number; readonly graceMs?: number; readonly signal: AbortSignal },
  abandon: () => void = () => undefined,
): Promise<T> {
  const { timeoutMs, graceMs = 0, signal } = limits;
  let interrupt: (reason: GraphStoreError) => void = () => undefined;
  const interrupted = new Promise<never>((_resolve, reject) => {
    interrupt = (reason) => {
      abandon();
      reject(reason);
    };
  });
  const late = (): void => interrupt(new GraphStoreError('timeout', `The query took longer than ${timeoutMs} ms.`));
  const abort = (): void => interrupt(new GraphStoreError('cancelled', 'The query was canceled.'));
  const timer = setTimeout(late, timeoutMs + graceMs);
  signal.addEventListener('abort', abort, { once: true });
  work.catch(() => undefined); // Its error matters only if it comes first.
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, interrupted]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}
