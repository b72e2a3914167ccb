import { GraphStoreError } from '@pacioli/core/ports';
import { failureOf } from './failure.ts';

/** Stops waiting for the server at the deadline or when the caller cancels, and stops the statement with the session. */
export async function withDeadline<T>(
  work: Promise<T>,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
  stop: () => Promise<void>,
): Promise<T> {
  let interrupt: (reason: GraphStoreError) => void = () => undefined;
  const interrupted = new Promise<never>((_resolve, reject) => {
    interrupt = reject;
  });
  const late = (): void => interrupt(new GraphStoreError('timeout', `The query took longer than ${timeoutMs} ms.`));
  const abort = (): void => interrupt(new GraphStoreError('cancelled', 'The query was cancelled.'));
  const timer = setTimeout(late, timeoutMs);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  work.catch(() => undefined); // Its error matters only if it comes first.
  try {
    return await Promise.race([work, interrupted]);
  } catch (error) {
    await stop();
    throw failureOf(error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}
