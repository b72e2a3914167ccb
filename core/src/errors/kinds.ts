/** The kinds of deliberate failures. Only this table maps a kind to an HTTP status (platform 1.2). */
export const errorKinds = {
  refused: 400,
  unauthenticated: 401,
  payment_required: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  timeout: 408,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  invalid_input: 422,
  rate_limited: 429,
  internal: 500,
  disabled: 501,
  upstream: 502,
  unavailable: 503,
  statement_timeout: 504,
} as const;

export type ErrorKind = keyof typeof errorKinds;

/** True for a failure that the caller must avoid by another request; false for one of the service, or of its time. */
export function isRefusal(kind: ErrorKind): boolean {
  return errorKinds[kind] < 500 && kind !== 'timeout';
}

/** One issue of an input (platform E-3, E-11). */
export interface Issue {
  /** Starts with `body`, `query`, `path` or `header`, then keys and indexes. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly input?: unknown;
}
