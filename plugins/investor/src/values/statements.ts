import { type RawBuilder, sql, type Transaction } from '@pacioli/core';

/** Rows that a projection reads at a time; more of them would block the event loop for longer than 10 ms. */
export const rowsPerBatch = 1_000;

/** An object as a parameter of a jsonb column. */
export function asJson(value: Readonly<Record<string, unknown>>): RawBuilder<unknown> {
  return sql`${JSON.stringify(value)}::text::jsonb`;
}

/**
 * Waits for other transactions that link securities to the entity of a source graph, until this one ends: without it, a
 * security written while the first share of its issuer is being received would stay unlinked until the next one.
 */
export async function lockForSource(tx: Transaction, sourceGraphId: string): Promise<void> {
  const name = `investor.source.${tx.graphId}.${sourceGraphId}`;
  await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}
