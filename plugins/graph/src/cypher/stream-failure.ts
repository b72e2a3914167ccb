import { isGraphStoreError } from '@pacioli/core/ports';

/** Why a response ends before its last row. */
export interface StreamFailure {
  readonly isTimeout: boolean;
  /** For the reader of the response; what the engine said is in the log only. */
  readonly message: string;
}

/** Describes an error that came after the first rows were sent (graphs ). */
export function streamFailure(error: unknown): StreamFailure {
  const isTimeout = isGraphStoreError(error) && (error.code === 'timeout' || error.code === 'cancelled');
  const message = isTimeout
    ? 'The query was stopped at its time limit, and the rows so far are not all.'
    : 'The query failed after it had begun to answer, and the rows so far are not all.';
  return { isTimeout, message };
}
