/** Rows that a projection reads at a time. */
export const rows_per_batch = 5_000;
