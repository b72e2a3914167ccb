import { type RawBuilder, sql } from '@pacioli/core';

/** Rows that a projection reads at a time; more of them would block the event loop for longer than 10 ms. */
export const rowsPerBatch = 1_000;

/** Minor units of a row's currency as a double of major units (graphs SC-23). */
export function majorUnitsOf(column: string): RawBuilder<number> {
  return sql<number>`(${sql.ref(column)} / power(10::numeric, CASE
    WHEN currency IN ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF') THEN 0
    WHEN currency IN ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') THEN 3 WHEN currency IN ('CLF', 'UYW') THEN 4 ELSE 2 END))::float8`;
}

/** An instant as text in UTC. */
export function utcText(column: string): RawBuilder<string> {
  return sql<string>`to_char(${sql.ref(column)} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
}
