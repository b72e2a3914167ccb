import { ServiceError } from '@pacioli/core';

/** The refusal of a write that another one overtook or holds up; the caller sends it again (ledger L-9). */
export function writeConflict(row: string, cause?: unknown): ServiceError {
  return new ServiceError(
    'conflict',
    'WRITE_CONFLICT',
    `${row} is being written by another process. Retry in a moment.`,
    { headers: { 'Retry-After': '1' }, ...(cause === undefined ? {} : { cause }) },
  );
}
