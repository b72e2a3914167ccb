import { isServiceError, ServiceError } from '@pacioli/core';

/** What stopped a booking, in the words that lists of failed deliveries are sorted by (ledger L-132). */
const failures = ['closed_period', 'element_unmapped', 'unbalanced_entry'] as const;
type BookingFailure = (typeof failures)[number];

/** A 422 like any other to the caller; its cause is what deliveries keep with the event. */
export function bookingRefusal(
  failure: BookingFailure,
  message: string,
  details?: Readonly<Record<string, unknown>>,
): ServiceError {
  const more = details === undefined ? {} : { details };
  return new ServiceError('invalid_input', 'INVALID_INPUT', message, { cause: failure, ...more });
}

/** What stopped the booking; undefined for errors that are no refusal of one. */
export function bookingFailureOf(error: unknown): BookingFailure | undefined {
  return isServiceError(error) ? failures.find((failure) => failure === error.cause) : undefined;
}
