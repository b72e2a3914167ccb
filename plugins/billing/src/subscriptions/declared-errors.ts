/** Errors that several routes of billing share, for their `errors`. */

export const providerFails = {
  PAYMENT_PROVIDER_ERROR: {
    kind: 'upstream',
    meaning: 'The payment provider refused or did not answer; nothing has changed.',
  },
} as const;

export const planIsUnknown = {
  UNKNOWN_PLAN: { kind: 'refused', meaning: 'No plan has the name; the message lists those that there are.' },
} as const;

export const subscriptionExists = {
  ALREADY_SUBSCRIBED: { kind: 'conflict', meaning: 'The user has a subscription to the repository already.' },
} as const;

export const emailIsUnverified = {
  EMAIL_NOT_VERIFIED: { kind: 'forbidden', meaning: 'The caller has not verified their email address.' },
} as const;
