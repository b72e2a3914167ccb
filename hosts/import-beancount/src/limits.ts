/** Limits of one import: every list, text and external call has one. */
export const journalLimits = {
  maxFileBytes: 64 * 1024 * 1024,
  maxFiles: 1000,
  maxTotalBytes: 256 * 1024 * 1024,
  maxDirectives: 1_000_000,
  maxPostingsPerTransaction: 1000,
  maxNumberDigits: 60,
  maxExpressionDepth: 50,
  maxProblems: 20,
  maxReportDetails: 50,
} as const;

/** Limits of writing: the amount sent at once, and the retries of rejected requests. */
export const writeLimits = {
  maxElementsPerRequest: 500,
  maxRequestsInFlight: 8,
  maxTransactionsPerBatch: 100,
  maxAttempts: 20,
  maxRetryWaitSeconds: 60,
  maxOperationPolls: 240,
  operationPollMs: 500,
  maxAccountsPerPage: 1000,
  maxAccountPages: 100,
  maxAnswerBytes: 32 * 1024 * 1024,
  requestTimeoutMs: 120_000,
} as const;
