/** Bounds of seeding and printing the demo. */
export const demoLimits = {
  requests_in_flight_max: 8,
  request_timeout_milliseconds: 60_000,
  answer_bytes_max: 1024 * 1024,
  operation_polls_max: 1_200,
  operation_poll_milliseconds: 100,
  accounts_max: 1_000,
  table_columns_max: 100,
} as const;
