import { ServiceError } from '@pacioli/core';

/** The error for a write that a concurrent one overtook or blocks; the caller retries (ledger L-9). */
export function writeConflict(row: string, cause?: unknown): ServiceError {
  return new ServiceError(
    'conflict',
    'WRITE_CONFLICT',
    `${row} is being written by another process. Retry in a moment.`,
    { headers: { 'Retry-After': '1' }, ...(cause === undefined ? {} : { cause }) },
  );
}
