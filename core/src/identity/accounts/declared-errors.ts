/** Errors that several routes of accounts share, for their `errors`. */

export const tooManyAttempts = {
  TOO_MANY_ATTEMPTS: {
    kind: 'rate_limited',
    meaning: 'Too many attempts failed; Retry-After has the seconds to wait.',
  },
} as const;

export const passwordsAreOff = {
  FEATURE_DISABLED: { kind: 'forbidden', meaning: 'This deployment does not offer sign-in with a password.' },
} as const;

export const emailIsTaken = {
  ALREADY_EXISTS: { kind: 'conflict', meaning: 'The email address has an account already.' },
} as const;
