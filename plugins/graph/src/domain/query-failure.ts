import { ServiceError } from '@pacioli/core';
import { type GraphStoreErrorCode, isGraphStoreError } from '@pacioli/core/ports';
import type { Refusal } from './cypher-gate.ts';

/** Errors of the query route: code to meaning, for the documents. */
export const queryErrors = {
  INVALID_QUERY: { kind: 'refused', meaning: 'The statement cannot be parsed, bound or carried out as it is written.' },
  BULK_NOT_ALLOWED: { kind: 'refused', meaning: 'COPY, LOAD and IMPORT are not allowed.' },
  QUERY_NOT_ALLOWED: {
    kind: 'forbidden',
    meaning: 'The statement would write, change the schema or administer the engine.',
  },
  QUERY_TIMEOUT: { kind: 'timeout', meaning: 'The statement ran longer than its limit and was stopped.' },
  QUERY_TOO_LARGE: { kind: 'unavailable', meaning: 'The statement needs more memory than is allowed.' },
  GRAPH_UNAVAILABLE: {
    kind: 'unavailable',
    meaning: 'The analytical graph cannot answer now; ask again after Retry-After.',
  },
} as const;

/** The answer to a statement that the gate refuses (graphs 9.2). */
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

/** A failure of the graph store as the caller sees it (graphs 9.5); anything else passes unchanged. */
export function queryFailure(
  error: unknown,
  time: { readonly timeout_ms: number; readonly elapsed_ms: number },
): unknown {
  if (!isGraphStoreError(error)) return error;
  const prefix = prefixes[error.code];
  if (prefix !== undefined) {
    const text = error.message.replace(/^(?:Parser|Binder|Catalog|Runtime|Conversion) exception: /, '');
    return new ServiceError('refused', 'INVALID_QUERY', `${prefix}${text}`, { cause: error });
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
            timeout_seconds: time.timeout_ms / 1_000,
            elapsed_seconds: Math.round(time.elapsed_ms) / 1_000,
            suggestion: 'Add a LIMIT or a WHERE, or raise timeout.',
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
      return unavailable('GRAPH_UNAVAILABLE', 'The analytical graph is not there: materialize it with rebuild.', error);
    default:
      return error;
  }
}

function unavailable(code: string, message: string, cause: unknown): ServiceError {
  return new ServiceError('unavailable', code, message, { cause, headers: { 'Retry-After': '30' } });
}
