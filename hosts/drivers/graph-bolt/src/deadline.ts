import { withDeadline } from '@pacioli/graph-statements';
import { failureOf } from './failure.ts';

/** Waits for the server until the deadline or a cancellation, and stops the statement with its session if it fails. */
export async function stoppedAtDeadline<T>(
  work: Promise<T>,
  limits: { readonly timeoutMs: number; readonly signal: AbortSignal },
  stop: () => Promise<void>,
): Promise<T> {
  try {
    return await withDeadline(work, limits);
  } catch (error) {
    await stop();
    throw failureOf(error);
  }
}
