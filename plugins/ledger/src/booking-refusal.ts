import { ServiceError } from '@pacioli/core';

/** What stopped a booking, in the words that lists of failed deliveries are sorted by (ledger L-132). */
export type BookingFailure = 'closed_period' | 'element_unmapped' | 'unbalanced_entry';

/** A 422 like any other to the caller; deliveries keep its `failure` with the event. */
export class BookingRefusal extends ServiceError {
  readonly failure: BookingFailure;

  constructor(failure: BookingFailure, message: string, details?: Readonly<Record<string, unknown>>) {
    super('invalid_input', 'INVALID_INPUT', message, details === undefined ? {} : { details });
    this.failure = failure;
  }
}
