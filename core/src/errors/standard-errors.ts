import type { ErrorKind } from './kinds.ts';

export interface StandardError {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly meaning: string;
}

/** Errors that the kernel answers for any part, which therefore does not declare them (platform section 1). */
export const standardErrors: readonly StandardError[] = [
  {
    kind: 'unauthenticated',
    code: 'UNAUTHORIZED',
    meaning: 'The request has no credential, or one that is not valid.',
  },
  {
    kind: 'forbidden',
    code: 'FORBIDDEN',
    meaning: 'The role or the scope of the credential does not allow it, or the graph is unknown.',
  },
  {
    kind: 'forbidden',
    code: 'KEY_SCOPE',
    meaning: 'The API key is bound to another graph, or to a graph at all where the path has none.',
  },
  {
    kind: 'payment_required',
    code: 'PAYMENT_REQUIRED',
    meaning:
      'The subscription of the graph or the organization is unpaid, or a plan is needed; the message says which.',
  },
  {
    kind: 'forbidden',
    code: 'EXTENSION_NOT_PROVISIONED',
    meaning: 'The graph does not have the domain of the part; `add-extension` adds it.',
  },
  {
    kind: 'not_found',
    code: 'NOT_FOUND',
    meaning: 'No route has this path.',
  },
  {
    kind: 'method_not_allowed',
    code: 'METHOD_NOT_ALLOWED',
    meaning: 'The path has other methods; `Allow` names them.',
  },
  {
    kind: 'conflict',
    code: 'IDEMPOTENCY_KEY_REUSED',
    meaning: 'The idempotency key was used for another body.',
  },
  {
    kind: 'conflict',
    code: 'IDEMPOTENCY_IN_PROGRESS',
    meaning: 'The request with this idempotency key has not ended yet.',
  },
  {
    kind: 'conflict',
    code: 'WRITE_CONFLICT',
    meaning: 'Another process is writing the same rows; send the request again.',
  },
  {
    kind: 'too_large',
    code: 'PAYLOAD_TOO_LARGE',
    meaning: 'The body is larger than the limit, which the message names.',
  },
  {
    kind: 'unsupported_media_type',
    code: 'UNSUPPORTED_MEDIA_TYPE',
    meaning: 'The body is not JSON.',
  },
  {
    kind: 'invalid_input',
    code: 'INVALID_INPUT',
    meaning: 'The body does not match the schema; `errors` lists every issue.',
  },
  {
    kind: 'rate_limited',
    code: 'RATE_LIMIT_EXCEEDED',
    meaning: 'The rate limit is reached; `Retry-After` has the seconds to wait.',
  },
  {
    kind: 'rate_limited',
    code: 'CONCURRENCY_LIMIT',
    meaning: 'Too much work of the graph waits already; `Retry-After` has the seconds to wait.',
  },
  {
    kind: 'internal',
    code: 'INTERNAL_ERROR',
    meaning: 'A defect; the log has it under the `request_id` of the answer.',
  },
  {
    kind: 'unavailable',
    code: 'SERVICE_UNAVAILABLE',
    meaning: 'The store cannot be reached; `Retry-After` has the seconds to wait.',
  },
  {
    kind: 'unavailable',
    code: 'GRAPH_UNAVAILABLE',
    meaning: 'The graph engine cannot be reached; `Retry-After` has the seconds to wait.',
  },
  {
    kind: 'statement_timeout',
    code: 'STATEMENT_TIMEOUT',
    meaning: 'A statement reached its time limit; narrow the request.',
  },
];
