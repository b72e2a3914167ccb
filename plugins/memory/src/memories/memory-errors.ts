/** The errors that several parts of this plugin declare. */
export const memoryErrors = {
  MEMORY_OFF: { kind: 'unavailable', meaning: 'This deployment has switched semantic memory off.' },
  CREDENTIAL_IN_MEMORY: {
    kind: 'invalid_input',
    meaning: 'A text looks like a key, a token, a password in an address, or the number of a payment card.',
  },
} as const;
