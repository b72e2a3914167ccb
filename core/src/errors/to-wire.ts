import { isGraphStoreError } from '../store/graph-store.ts';
import { StoreError } from '../store/store.ts';
import { errorKinds, type Issue } from './kinds.ts';
import { isServiceError, ServiceError } from './service-error.ts';

/** The format of a route's 422: a list of issues, or one sentence (platform E-3, E-4). */
export type ValidationErrors = 'list' | 'message';

/** The context of an error response. */
export interface ErrorContext {
  readonly requestId: string;
  readonly now: Date;
  readonly validationErrors: ValidationErrors;
  readonly operationId?: string;
}

export interface WireError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The most issues that the one-sentence form lists (platform E-3). */
const maxIssuesInSentence = 3;

/** Formats issues as one sentence: the first three, then the number of others (platform E-3). */
export function issuesSentence(issues: readonly Issue[]): string {
  const shown = issues.slice(0, maxIssuesInSentence).map(issueSentence);
  const more = issues.length - shown.length;
  return shown.join('; ') + (more > 0 ? ` (+${more} more)` : '');
}

function issueSentence({ loc, msg, type }: Issue): string {
  const [root, offset] = loc;
  // The number is not a field but the offset of the JSON error (platform E-6).
  if (type === 'json_invalid' && typeof offset === 'number')
    return `${root}: ${msg} at character ${offset + 1}. Send valid JSON.`;
  return `${loc.slice(loc.length > 1 ? 1 : 0).join('.')}: ${msg}`;
}

/** A 422 of schema violations; the route chooses its format. */
export function validationFailure(issues: readonly Issue[]): ServiceError {
  return new ServiceError('invalid_input', 'INVALID_INPUT', issuesSentence(issues), { issues });
}

/** Classifies an unknown error. An internal fault is never reported as the caller's. */
export function toServiceError(error: unknown): ServiceError {
  if (isServiceError(error)) return error;
  if (error instanceof StoreError) {
    if (error.code === 'lock-timeout' || error.code === 'serialization') {
      // The request is valid and succeeds when retried, so its code differs from domain conflicts (ledger L-9).
      return new ServiceError(
        'conflict',
        'WRITE_CONFLICT',
        'These rows are being written by another process. Retry in a moment.',
        {
          headers: { 'Retry-After': '1' },
          cause: error,
        },
      );
    }
    if (error.code === 'statement-timeout') {
      return new ServiceError(
        'statement_timeout',
        'STATEMENT_TIMEOUT',
        'The statement took too long and was stopped. Narrow the request and try again.',
        { cause: error },
      );
    }
    if (error.code === 'value') {
      const message =
        'A text contains a character that cannot be stored, or a date or number is out of range. Correct the input.';
      return new ServiceError('invalid_input', 'INVALID_INPUT', message, { cause: error });
    }
    if (error.code === 'unreachable' || error.code === 'busy') {
      return new ServiceError(
        'unavailable',
        'SERVICE_UNAVAILABLE',
        'The store cannot be reached at the moment. Retry in a few seconds.',
        {
          headers: { 'Retry-After': '5' },
          cause: error,
        },
      );
    }
  }
  if (isGraphStoreError(error) && error.code === 'unavailable') {
    const message = 'The graph engine is not ready at the moment. Retry in a few seconds.';
    return new ServiceError('unavailable', 'GRAPH_UNAVAILABLE', message, {
      headers: { 'Retry-After': '2' },
      cause: error,
    });
  }
  return new ServiceError('internal', 'INTERNAL_ERROR', 'Internal server error', { cause: error });
}

/** Builds the body of an error response; nothing else does (platform E-1 to E-3). */
export function toWire(error: unknown, context: ErrorContext): WireError {
  const failure = toServiceError(error);
  const asList = failure.kind === 'invalid_input' && context.validationErrors === 'list';
  const issues = failure.issues ?? [{ loc: ['body'], msg: failure.message, type: 'value_error' }];
  return {
    status: errorKinds[failure.kind],
    headers: failure.headers,
    body: {
      ...failure.fields,
      detail: asList ? issues : failure.message,
      code: failure.code,
      request_id: context.requestId,
      timestamp: context.now.toISOString(),
      ...(failure.issues === undefined || asList ? {} : { errors: failure.issues }),
      ...(failure.details === undefined ? {} : { details: failure.details }),
      ...(context.operationId === undefined ? {} : { operation_id: context.operationId }),
    },
  };
}
