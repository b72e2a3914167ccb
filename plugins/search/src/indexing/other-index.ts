import { sql, type Transaction } from '@pacioli/core';
import { type SearchIndex, SearchIndexError } from '@pacioli/core/ports';
import type { SearchGraph } from '../rows.gen.ts';

/** The id of the index; undefined while it cannot be told. */
export async function indexIdOf(index: SearchIndex): Promise<string | undefined> {
  try {
    return await index.identity();
  } catch (error) {
    if (error instanceof SearchIndexError) return undefined;
    throw error;
  }
}

/** Entries of the graph are in another index, so that this one lacks them (ai-surface D-17). */
export async function isInOtherIndex(tx: Transaction, indexId: string): Promise<boolean> {
  const rows = await tx.query(sql`SELECT 1 FROM search_graph
    WHERE graph_id = ${tx.graphId} AND index_id <> ${indexId}`);
  return rows.length > 0;
}

/**
 * Makes the documents of the graph pending, which the next search waits for, and its other texts unlisted, so that the
 * next search lists them again. Vectors are made with the entries.
 */
export async function moveToIndex(tx: Transaction, indexId: string, now: Date): Promise<void> {
  const moved = await tx.query(sql`UPDATE search_graph SET index_id = ${indexId}
    WHERE graph_id = ${tx.graphId} AND index_id <> ${indexId} RETURNING graph_id`);
  if (moved.length === 0) return; // Another process was faster.
  await tx.query(sql`DELETE FROM search_listed_text WHERE graph_id = ${tx.graphId}`);
  await tx.query(sql`INSERT INTO search_pending (graph_id, document_id, is_removal, next_try_at)
    SELECT graph_id, document_id, true, ${now} FROM search_document WHERE graph_id = ${tx.graphId}
    ON CONFLICT (graph_id, document_id) DO UPDATE SET is_removal = true, next_try_at = ${now}`);
}

/** The graphs whose entries are in another index, at most `limit`; in a kernel transaction. */
export async function graphsInOtherIndex(tx: Transaction, indexId: string, limit: number): Promise<readonly string[]> {
  const rows = await tx.query(sql<Pick<SearchGraph, 'graph_id'>>`SELECT graph_id FROM search_graph
    WHERE index_id <> ${indexId} ORDER BY graph_id LIMIT ${limit}`);
  return rows.map(({ graph_id: graphId }) => graphId);
}

/** Notes the index of graphs that were indexed before the index of a graph was noted; in a kernel transaction. */
export async function noteIndex(tx: Transaction, indexId: string): Promise<void> {
  await tx.query(sql`UPDATE search_graph SET index_id = ${indexId} WHERE index_id IS NULL`);
}
