/** Bounds of one import: every list, text and outside call has one. */
export const journalLimits = {
  file_bytes_max: 64 * 1024 * 1024,
  files_max: 1000,
  total_bytes_max: 256 * 1024 * 1024,
  directives_max: 1_000_000,
  postings_per_transaction_max: 1000,
  number_digits_max: 60,
  expression_depth_max: 50,
  problems_max: 20,
  report_details_max: 50,
} as const;

/** Bounds of the writing half: how much is sent at once, and how long a refusal is retried. */
export const writeLimits = {
  elements_per_request_max: 500,
  requests_in_flight_max: 8,
  transactions_per_batch_max: 100,
  attempts_max: 20,
  retry_wait_seconds_max: 60,
  operation_polls_max: 240,
  operation_poll_milliseconds: 500,
  accounts_per_page_max: 1000,
  account_pages_max: 100,
  answer_bytes_max: 32 * 1024 * 1024,
  request_timeout_milliseconds: 120_000,
} as const;
