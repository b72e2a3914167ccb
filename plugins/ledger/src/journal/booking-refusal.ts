import { isServiceError, ServiceError } from '@pacioli/core';

/** Reasons for a refused booking, by which lists of failed deliveries are grouped (ledger L-132). */
const failures = ['closed_period', 'element_unmapped', 'unbalanced_entry'] as const;
type BookingFailure = (typeof failures)[number];

/** An ordinary 422 to the caller; its cause carries the reason, which deliveries store on the event. */
export function bookingRefusal(
  failure: BookingFailure,
  message: string,
  details?: Readonly<Record<string, unknown>>,
): ServiceError {
  const more = details === undefined ? {} : { details };
  return new ServiceError('invalid_input', 'INVALID_INPUT', message, { cause: failure, ...more });
}

/** The reason for a refused booking; undefined for other errors. */
export function bookingFailureOf(error: unknown): BookingFailure | undefined {
  return isServiceError(error) ? failures.find((failure) => failure === error.cause) : undefined;
}
