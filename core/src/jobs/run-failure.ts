import { isRefusal } from '../errors/kinds.ts';
import { isServiceError } from '../errors/service-error.ts';

/** The stored error of a failed run (platform L-15). */
export interface Failure {
  readonly text: string;
  readonly details: Readonly<Record<string, unknown>> | null;
  /** True if the caller must change something, such as the rows; the audit counts it apart (platform N-30). */
  readonly isRefusal?: boolean;
}

/** The error of a run that is not repeated after its worker died or stopped (platform L-12). */
export const interruptedText = 'Interrupted; not restarted';

/** Ends a run that takes too long (platform L-14). */
export class TimedOut extends Error {
  readonly seconds: number;

  constructor(seconds: number) {
    super(`Task timed out after ${seconds}s`);
    this.seconds = seconds;
  }
}

/** Ends an attempt whose run another one repeats: its worker stops, or has lost the run. */
export class Interrupted extends Error {}

/** Ends an attempt whose run was canceled; the state is already stored. */
export class Cancelled extends Error {}

/** Ends an attempt whose question is stored. */
export class Paused extends Error {}

/** True for what a run that was canceled throws, and for the reason of its signal (platform L-13). */
export function isRunCanceled(reason: unknown): boolean {
  return reason instanceof Cancelled;
}

/** True for what ends an attempt without a failure: a cancellation, a question, or a worker that stops. */
export function isAttemptEnd(error: unknown): boolean {
  return error instanceof Cancelled || error instanceof Paused || error instanceof Interrupted;
}

/**
 * True if another attempt repeats the run that this signal has ended. A run that cleans up after itself then leaves what
 * the next attempt needs.
 */
export function isRunRepeated(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason instanceof Interrupted;
}

/** True if this signal has ended a run because it took too long; the run has failed (platform L-14). */
export function isRunTimedOut(signal: AbortSignal): signal is AbortSignal & { readonly reason: Error } {
  return signal.aborted && signal.reason instanceof TimedOut;
}

/** Returns the message of a ServiceError, else a reference for support. */
export function describeFailure(operationId: string, error: unknown): Failure {
  if (error instanceof TimedOut) {
    return {
      text: `${error.message}; work that was under way may still complete.`,
      details: { error_type: 'TimeoutError', timeout_seconds: error.seconds, still_running: true },
    };
  }
  if (isServiceError(error) && error.kind !== 'internal')
    return {
      text: error.message,
      details: { code: error.code, ...error.details },
      isRefusal: isRefusal(error.kind),
    };
  // The details list the writes before the failure, which the caller needs; the reason stays hidden (platform L-15).
  const details = isServiceError(error) ? (error.details ?? null) : null;
  return { text: `Operation failed — reference ${operationId}`, details };
}

/** Rejects with the reason when the signal aborts. */
export async function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
