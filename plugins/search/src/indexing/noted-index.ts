import { sql, type Transaction } from '@pacioli/core';
import { type IndexRevision, type SearchIndex, SearchIndexError } from '@pacioli/core/ports';
import type { SearchGraph } from '../rows.gen.ts';
import { wholeGraph } from './pending-rows.ts';

/** The id of the index; undefined while it cannot be told. */
export async function indexIdOf(index: SearchIndex): Promise<string | undefined> {
  try {
    return await index.identity();
  } catch (error) {
    if (error instanceof SearchIndexError) return undefined;
    throw error;
  }
}

/** The index that has the entries of a graph, its revision after the last write, and its rebuilds. */
export type NotedIndex = Pick<SearchGraph, 'index_id' | 'index_space' | 'index_revision' | 'rebuilds' | 'rebuilt_at'>;

/** What the graph's writes have noted; undefined if it has no entries. */
export async function notedIndex(tx: Transaction): Promise<NotedIndex | undefined> {
  const [row] = await tx.query(sql<NotedIndex>`SELECT index_id, index_space, index_revision, rebuilds, rebuilt_at
    FROM search_graph WHERE graph_id = ${tx.graphId}`);
  return row;
}

/** Writers of entries share the lock until their transaction ends; who discards all entries of the graph holds it alone. */
export async function lockEntries(tx: Transaction, mode: 'shared' | 'exclusive'): Promise<void> {
  const key = sql`hashtextextended(${`search entries ${tx.graphId}`}, 0)`;
  const lock = mode === 'shared' ? sql`pg_advisory_xact_lock_shared(${key})` : sql`pg_advisory_xact_lock(${key})`;
  await tx.query(sql`SELECT ${lock}`);
}

/**
 * Notes the revision of the entries after a write, in its transaction. One of another space is not noted, so that the next
 * search finds that the entries were exchanged.
 */
export async function noteRevision(tx: Transaction, revision: IndexRevision | undefined): Promise<void> {
  if (revision === undefined) return;
  const { space, number } = revision;
  await tx.query(sql`UPDATE search_graph SET index_space = ${space}, index_revision = ${number}
    WHERE graph_id = ${tx.graphId} AND (index_revision IS NULL
      OR index_revision < ${number} AND coalesce(index_space, ${space}) = ${space})`);
}

/** True if the index has at least what was noted of the graph. */
export function isKept({ index_space: space, index_revision: number }: NotedIndex, has: IndexRevision | undefined) {
  if (number === null) return true;
  return has !== undefined && has.number >= number && (space === null || has.space === space);
}

/**
 * Makes the documents of the graph pending, which the next search waits for, and its other texts unlisted, so that the
 * next search lists them again. Vectors are made with the entries.
 */
export async function moveToIndex(tx: Transaction, indexId: string, now: Date): Promise<void> {
  const moved = await tx.query(sql`UPDATE search_graph SET index_id = ${indexId}, index_revision = NULL,
      rebuilds = rebuilds + 1, rebuilt_at = ${now}
    WHERE graph_id = ${tx.graphId} AND index_id <> ${indexId} RETURNING graph_id`);
  if (moved.length === 0) return; // Another process was faster.
  await markAllPending(tx, now);
}

/**
 * Marks all entries of a graph as pending, like `moveToIndex`, after they were lost, damaged or restored from an older
 * copy. What is left is removed first, because it may contain deleted texts. Does nothing if the index was rebuilt since
 * `noted` was read.
 */
export async function discardEntries(tx: Transaction, noted: NotedIndex, now: Date): Promise<void> {
  await lockEntries(tx, 'exclusive');
  const found = await tx.query(sql`UPDATE search_graph
    SET index_revision = NULL, rebuilds = rebuilds + 1, rebuilt_at = ${now}
    WHERE graph_id = ${tx.graphId} AND rebuilds = ${noted.rebuilds} RETURNING graph_id`);
  if (found.length === 0) return; // Another process was faster.
  await tx.query(sql`INSERT INTO search_pending (graph_id, document_id, is_removal, next_try_at)
    VALUES (${tx.graphId}, ${wholeGraph}, true, ${now})
    ON CONFLICT (graph_id, document_id) DO UPDATE SET is_removal = true, next_try_at = ${now}`);
  await markAllPending(tx, now);
}

async function markAllPending(tx: Transaction, now: Date): Promise<void> {
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
