/** The errors of the requests that start operators. */
export const requestErrors = {
  OPERATORS_DISABLED: { kind: 'forbidden', meaning: 'Operators are switched off in this deployment.' },
  NOT_FOUND: { kind: 'not_found', meaning: 'The graph has no operator of this type.' },
  INSUFFICIENT_CREDITS: {
    kind: 'payment_required',
    meaning: 'The balance is below the estimate of the run, or of its first call.',
  },
  NO_LANGUAGE_MODEL: { kind: 'unavailable', meaning: 'This deployment has no language model.' },
  CONCURRENCY_LIMIT: { kind: 'rate_limited', meaning: 'Too many operations are in progress.' },
} as const;
