import type { ColumnFault, StagingErrorCode } from '@pacioli/core/ports';
import { maskPaths } from '@pacioli/worker-process/worker';
import type { Failure } from '../protocol.ts';

const maxMessageCharacters = 2_000;

/** Thrown inside the worker where the cause is known; all other errors are classified by the engine's text. */
export class WorkerFailure extends Error {
  readonly code: StagingErrorCode;
  readonly faults: readonly ColumnFault[];

  constructor(code: StagingErrorCode, message: string, faults: readonly ColumnFault[] = []) {
    super(message);
    this.code = code;
    this.faults = faults;
  }
}

/** The only place that reads the engine's error texts. */
export function failureOf(error: unknown): Failure {
  if (error instanceof WorkerFailure) return { code: error.code, message: error.message, faults: error.faults };
  const text = error instanceof Error ? error.message : String(error);
  const known = (code: StagingErrorCode, message: string): Failure => ({ code, message, faults: [], detail: text });
  if (/INTERRUPT/i.test(text)) return known('timeout', 'The statement was stopped at its time limit.');
  if (/Out of Memory|failed to (allocate|pin)/i.test(text))
    return known('memory', 'The statement needs more memory than is allowed: request less data at once.');
  if (/Permission Error|disabled by configuration|locked/i.test(text))
    return known('refused', 'Only the staged tables can be read: no files, settings or extensions.');
  return known('statement', maskPaths(text).slice(0, maxMessageCharacters));
}
