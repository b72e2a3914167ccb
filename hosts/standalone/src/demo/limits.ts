/** Limits of seeding and printing the demo. */
export const demoLimits = {
  maxRequestsInFlight: 8,
  requestTimeoutMs: 60_000,
  maxAnswerBytes: 1024 * 1024,
  maxOperationPolls: 1_200,
  operationPollMs: 100,
  maxAccounts: 1_000,
  maxTableColumns: 100,
} as const;
