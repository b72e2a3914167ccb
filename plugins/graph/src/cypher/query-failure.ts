import { isServiceError, ServiceError } from '@pacioli/core';
import { type GraphStoreError, type GraphStoreErrorCode, isGraphStoreError } from '@pacioli/core/ports';
import type { Refusal } from './cypher-gate.ts';

/** Maps the error codes of the query route to their meanings, for the documents. */
export const queryErrors = {
  INVALID_QUERY: { kind: 'refused', meaning: 'The statement cannot be parsed, bound or executed as written.' },
  BULK_NOT_ALLOWED: { kind: 'refused', meaning: 'COPY, LOAD and IMPORT are not allowed.' },
  QUERY_NOT_ALLOWED: {
    kind: 'forbidden',
    meaning: 'The statement would write, change the schema or administer the engine.',
  },
  QUERY_TIMEOUT: { kind: 'timeout', meaning: 'The statement ran longer than its limit and was stopped.' },
  QUERY_TOO_LARGE: { kind: 'unavailable', meaning: 'The statement needs more memory than is allowed.' },
  CONCURRENCY_LIMIT: { kind: 'rate_limited', meaning: 'The user or the graph has too many statements at once.' },
  GRAPH_ENGINE_FAILED: {
    kind: 'internal',
    meaning: 'The graph engine failed internally; its own message is in the log.',
  },
  GRAPH_UNAVAILABLE: {
    kind: 'unavailable',
    meaning: 'The analytical graph is unavailable; retry after Retry-After.',
  },
} as const;

const engineFaults: ReadonlySet<string> = new Set<keyof typeof queryErrors>([
  'QUERY_TIMEOUT',
  'QUERY_TOO_LARGE',
  'GRAPH_ENGINE_FAILED',
  'GRAPH_UNAVAILABLE',
]);

/**
 * True if a statement ended by a time-out or a fault, not because the caller must write it differently or send it later,
 * or has left (graphs H-1, Q-54). A refusal for want of a place has no cause in the engine.
 */
export function isEngineFault(error: unknown, signal: AbortSignal): boolean {
  if (signal.aborted) return false;
  return !isServiceError(error) || (engineFaults.has(error.code) && error.cause !== undefined);
}

/** The error for a statement that the gate refuses (graphs 9.2). */
export function gateFailure(refusal: Refusal): ServiceError {
  switch (refusal.kind) {
    case 'bulk':
      return new ServiceError('refused', 'BULK_NOT_ALLOWED', refusal.message);
    case 'several-statements':
    case 'not-allowed':
    case 'too-large':
    case 'unstable-order':
      return new ServiceError('refused', 'INVALID_QUERY', refusal.message);
    default:
      return new ServiceError('forbidden', 'QUERY_NOT_ALLOWED', refusal.message);
  }
}

const prefixes: Partial<Record<GraphStoreErrorCode, string>> = {
  syntax: 'Query parsing error: ',
  bind: 'Query binding error: ',
  catalog: 'Catalog error: ',
  parameter: 'Query parameter error: ',
  runtime: 'Query error: ',
};

/** Converts a failure of the graph store for the caller (graphs 9.5); passes other errors unchanged. */
export function queryFailure(
  error: unknown,
  time: { readonly timeoutMs: number; readonly elapsedMs: number },
): unknown {
  if (!isGraphStoreError(error)) return error;
  if (error.place !== undefined) return parameterFailure(error, error.place);
  const prefix = prefixes[error.code];
  if (prefix !== undefined) {
    return new ServiceError('refused', 'INVALID_QUERY', `${prefix}${error.message}`, { cause: error });
  }
  switch (error.code) {
    case 'timeout':
    case 'cancelled':
      return new ServiceError(
        'timeout',
        'QUERY_TIMEOUT',
        'The query was stopped at its time limit: narrow it or allow more time.',
        {
          cause: error,
          details: {
            timeout_seconds: time.timeoutMs / 1_000,
            elapsed_seconds: Math.round(time.elapsedMs) / 1_000,
            suggestion: 'Add a LIMIT or a WHERE, raise timeout if the tier allows more, or run it with mode=async.',
            options: ['limit', 'filter', 'timeout'],
          },
        },
      );
    case 'read-only':
      return new ServiceError('forbidden', 'QUERY_NOT_ALLOWED', 'Graphs are read-only here.', { cause: error });
    case 'memory':
      return unavailable('QUERY_TOO_LARGE', error.message, error);
    case 'unavailable':
      return unavailable('GRAPH_UNAVAILABLE', error.message, error);
    case 'database-missing':
      return unavailable(
        'GRAPH_UNAVAILABLE',
        'The analytical graph does not exist: create it with the operation materialize and rebuild true.',
        error,
      );
    default: {
      const message = 'The graph engine failed on this query. Write it another way, or report it with the request id.';
      return new ServiceError('internal', 'GRAPH_ENGINE_FAILED', message, { cause: error });
    }
  }
}

/** A value that the engine cannot represent exactly, with its location in the body (graphs Q-45a). */
function parameterFailure(error: GraphStoreError, place: readonly (string | number)[]): ServiceError {
  const loc = ['body', 'parameters', ...place];
  return new ServiceError('invalid_input', 'INVALID_INPUT', `${loc.slice(1).join('.')}: ${error.message}`, {
    cause: error,
    issues: [{ loc, msg: error.message, type: 'value_error' }],
  });
}

function unavailable(code: string, message: string, cause: unknown): ServiceError {
  return new ServiceError('unavailable', code, message, { cause, headers: { 'Retry-After': '30' } });
}
