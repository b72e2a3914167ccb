/** Rows that a projection reads at a time. */
export const rowsPerBatch = 5_000;
