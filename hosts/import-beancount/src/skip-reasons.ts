/** The reasons for skipping parts of a journal, with the unit of their counts. */
export const skipReasons = {
  other_unit: { counts: 'postings', meaning: 'in a unit without cost or price in the currency' },
  priced_in_other_unit: { counts: 'postings', meaning: 'in the currency, but priced in another unit' },
  zero_amount: { counts: 'postings', meaning: 'zero after rounding to the cent' },
  no_legs_left: { counts: 'transactions', meaning: 'no posting could be imported' },
  too_large: { counts: 'transactions', meaning: 'an amount is beyond what the service can count exactly' },
  not_booked: { counts: 'transactions', meaning: 'a number or a lot could not be found' },
  unbalanced: { counts: 'transactions', meaning: 'the postings do not sum to zero' },
  already_present: { counts: 'transactions', meaning: 'written by an earlier run' },
  refused: { counts: 'transactions', meaning: 'refused by the service' },
} as const;

export type SkipReason = keyof typeof skipReasons;
export type SkipCounts = Partial<Record<SkipReason, number>>;

export function emptySkips(): SkipCounts {
  return {};
}

export function countReason(counts: SkipCounts, reason: SkipReason): void {
  counts[reason] = (counts[reason] ?? 0) + 1;
}
