import { isServiceError, ServiceError } from '@pacioli/core';
import { isGraphStoreError, isStagingError } from '@pacioli/core/ports';

/** The error of a build for callers; the cause is for the log. */
export function buildFailure(error: unknown): unknown {
  if (isStagingError(error)) {
    const message = `The graph was not rebuilt. ${error.message}`;
    return new ServiceError('unavailable', 'GRAPH_UNAVAILABLE', message, { cause: error });
  }
  if (isServiceError(error) || !isGraphStoreError(error)) return error;
  if (error.code === 'rejected-rows') {
    return new ServiceError('conflict', 'ROWS_REJECTED', `The graph was not rebuilt. ${error.message}`, {
      cause: error,
      details: { rejects: error.rejects },
    });
  }
  return new ServiceError('unavailable', 'GRAPH_UNAVAILABLE', `The graph was not rebuilt. ${error.message}`, {
    cause: error,
  });
}
