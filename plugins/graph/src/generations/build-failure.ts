import { isServiceError, ServiceError } from '@pacioli/core';
import { isGraphStoreError, isStagingError } from '@pacioli/core/ports';

/** The errors of operations that build a graph, for the documents. */
export const buildErrors = {
  MATERIALIZATION_IN_PROGRESS: { kind: 'conflict', meaning: 'Another run is building this graph.' },
  ROWS_REJECTED: {
    kind: 'invalid_input',
    meaning: 'Some rows have a missing or duplicate key, or refer to a node that does not exist.',
  },
  GRAPH_UNAVAILABLE: { kind: 'unavailable', meaning: 'The graph engine failed; the graph is unchanged.' },
} as const;

/** The error of a build for callers; the cause is for the log. */
export function buildFailure(error: unknown): unknown {
  if (isStagingError(error)) {
    const message = `The graph was not rebuilt. ${error.message}`;
    return new ServiceError('unavailable', 'GRAPH_UNAVAILABLE', message, { cause: error });
  }
  if (isServiceError(error) || !isGraphStoreError(error)) return error;
  if (error.code === 'rejected-rows') {
    return new ServiceError('invalid_input', 'ROWS_REJECTED', `The graph was not rebuilt. ${error.message}`, {
      cause: error,
      details: { rejects: error.rejects },
    });
  }
  return new ServiceError('unavailable', 'GRAPH_UNAVAILABLE', `The graph was not rebuilt. ${error.message}`, {
    cause: error,
  });
}
