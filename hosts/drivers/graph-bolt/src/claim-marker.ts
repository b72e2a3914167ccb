import { type GenerationRef, GraphStoreError } from '@pacioli/core/ports';
import type { Transaction } from 'neo4j-driver';

/**
 * The mark of a claim inside the database: an empty index whose name is the generation. Statements of callers never see
 * it, and the server accepts one index on this label and property, so it admits only one claim at a time.
 */
const markerLabel = 'pacioli_claim';

const markerOf = ({ graphId, generation }: GenerationRef): string => `${markerLabel}_${graphId}_${generation}`;

export const markStatement = (ref: GenerationRef): string =>
  `CREATE INDEX ${markerOf(ref)} FOR (n:${markerLabel}) ON (n.${markerLabel})`;

export const unmarkStatement = (ref: GenerationRef): string => `DROP INDEX ${markerOf(ref)} IF EXISTS`;

/**
 * Proves that the database still holds this generation. Another process may have dropped it, and then the database may
 * hold a graph of another tenant. Dropping removes the mark first and then ends every transaction that is still open, so
 * a transaction that has seen the mark reads nothing else (graphs I-1).
 */
export async function requireMarker(tx: Transaction, ref: GenerationRef): Promise<void> {
  const { records } = await tx.run('SHOW INDEXES YIELD name WHERE name = $marker RETURN name', {
    marker: markerOf(ref),
  });
  if (records.length === 0) throw missing();
}

export function missing(): GraphStoreError {
  return new GraphStoreError('database-missing', 'This generation of the graph does not exist.');
}
