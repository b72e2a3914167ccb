import type { ErrorKind, Issue } from './kinds.ts';

const mark = Symbol.for('pacioli.service-error');

export interface ServiceErrorOptions {
  /** Machine-readable data, sent in the extra top-level field `details` of the response. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Top-level fields of the response in addition to the standard ones, for errors that define them (platform C-12). */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Machine-readable issues of an invalid input. */
  readonly issues?: readonly Issue[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** A failure that is reported to the caller. The message says what happened and what to do, in one or two sentences. */
export class ServiceError extends Error {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly issues: readonly Issue[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(kind: ErrorKind, code: string, message: string, options: ServiceErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'ServiceError';
    this.kind = kind;
    this.code = code;
    this.details = options.details;
    this.fields = options.fields ?? {};
    this.issues = options.issues;
    this.headers = options.headers ?? {};
    Object.defineProperty(this, mark, { value: true });
  }
}

/** Recognizes a ServiceError even if two copies of the package are installed. */
export function isServiceError(error: unknown): error is ServiceError {
  return typeof error === 'object' && error !== null && mark in error;
}

/** A 422 `INVALID_INPUT` with one domain message (platform E-3). */
export function invalidInput(message: string, details?: Readonly<Record<string, unknown>>): ServiceError {
  return new ServiceError('invalid_input', 'INVALID_INPUT', message, details === undefined ? {} : { details });
}

/** A 429 whose message and `Retry-After` name the time to wait. */
export function rateLimited(
  code: string,
  message: string,
  seconds: number,
  headers: Readonly<Record<string, string>> = {},
): ServiceError {
  return new ServiceError('rate_limited', code, `${message} Try again in ${durationOf(seconds)}.`, {
    headers: { ...headers, 'Retry-After': `${seconds}` },
  });
}

function durationOf(seconds: number): string {
  if (seconds > 7_200) return `${Math.ceil(seconds / 3_600)} hours`;
  if (seconds > 120) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}

/** A 404 for a row that is not in this graph. */
export function notFound(message: string): ServiceError {
  return new ServiceError('not_found', 'NOT_FOUND', message);
}
