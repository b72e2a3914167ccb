import { columnsOf, type RowOf, sql, type Transaction } from '@pacioli/core';
import type { SearchGraph, SearchPending } from '../rows.gen.ts';

const columns = columnsOf<SearchPending>()('graph_id', 'document_id', 'is_removal', 'tries', 'next_try_at');

export type PendingRow = RowOf<typeof columns>;

/** Stands for the whole graph, whose former documents are removed. */
export const wholeGraph = '';

/** A request has ended by then, so that the job does not meet its write. */
const requestMs = 300_000;
const firstDelayMs = 60_000;
const maxDelayMs = 3_600_000;
const growth = 4;

/** States that the index may differ from the store; commit it before the index is written. */
export async function announceWrite(tx: Transaction, documentId: string, now: Date): Promise<void> {
  const due = new Date(now.getTime() + requestMs);
  await tx.query(sql`INSERT INTO search_pending (graph_id, document_id, is_removal, next_try_at)
    VALUES (${tx.graphId}, ${documentId}, false, ${due})
    ON CONFLICT (graph_id, document_id) DO UPDATE SET next_try_at = greatest(search_pending.next_try_at, ${due})`);
}

/** The index is like the store. */
export async function forgetPending(tx: Transaction, graphId: string, documentId: string): Promise<void> {
  await tx.query(sql`DELETE FROM search_pending WHERE graph_id = ${graphId} AND document_id = ${documentId}`);
}

/** Tries again after 1, 4, 16 and then every 60 minutes (ai-surface D-15). */
export async function postpone(
  tx: Transaction,
  documentId: string,
  of: { readonly isRemoval: boolean; readonly now: Date },
): Promise<void> {
  const [row] = await tx.query(sql<Pick<SearchPending, 'tries'>>`SELECT tries FROM search_pending
    WHERE graph_id = ${tx.graphId} AND document_id = ${documentId}`);
  const tries = (row?.tries ?? 0) + 1;
  const due = nextTryAt(tries, of.now);
  await tx.query(sql`INSERT INTO search_pending (graph_id, document_id, is_removal, tries, next_try_at)
    VALUES (${tx.graphId}, ${documentId}, ${of.isRemoval}, ${tries}, ${due})
    ON CONFLICT (graph_id, document_id) DO UPDATE SET is_removal = ${of.isRemoval}, tries = ${tries},
      next_try_at = ${due}`);
}

/** The time of the next try after a number of failures: after 1, 4, 16 and then every 60 minutes. */
export function nextTryAt(tries: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(firstDelayMs * growth ** Math.min(tries - 1, 10), maxDelayMs));
}

/** Those that are due in any graph, the longest waiting first; in a kernel transaction. */
export async function duePending(tx: Transaction, now: Date, limit: number): Promise<readonly PendingRow[]> {
  return tx.query(sql<PendingRow>`SELECT ${columns} FROM search_pending WHERE next_try_at <= ${now}
    ORDER BY next_try_at, graph_id, document_id LIMIT ${limit}`);
}

/** The removals that a graph waits for; that of its former documents comes first. */
export async function pendingRemovals(tx: Transaction, limit: number): Promise<readonly PendingRow[]> {
  return tx.query(sql<PendingRow>`SELECT ${columns} FROM search_pending
    WHERE graph_id = ${tx.graphId} AND is_removal ORDER BY document_id LIMIT ${limit}`);
}

export async function findPending(tx: Transaction, documentId: string): Promise<PendingRow | undefined> {
  const [row] = await tx.query(sql<PendingRow>`SELECT ${columns} FROM search_pending
    WHERE graph_id = ${tx.graphId} AND document_id = ${documentId}`);
  return row;
}

/** Removes the documents of a subgraph whose id may be given to another one (graphs SG-13); in a kernel transaction. */
export async function removeSubgraphDocuments(tx: Transaction, graphId: string, now: Date): Promise<void> {
  await tx.query(sql`DELETE FROM search_document WHERE graph_id = ${graphId}`);
  await tx.query(sql`DELETE FROM search_pending WHERE graph_id = ${graphId}`);
  await tx.query(sql`DELETE FROM search_pending_text WHERE graph_id = ${graphId}`);
  await tx.query(sql`DELETE FROM search_listed_text WHERE graph_id = ${graphId}`);
  await tx.query(sql`WITH known AS (DELETE FROM search_graph WHERE graph_id = ${graphId} RETURNING graph_id)
    INSERT INTO search_pending (graph_id, document_id, is_removal, next_try_at)
    SELECT graph_id, ${wholeGraph}, true, ${now} FROM known`);
}

/** Notes that a graph has entries, and those without vectors of the embedder, which a job adds (SR-13). */
export async function noteEntries(
  tx: Transaction,
  of: { readonly indexId: string | undefined; readonly model: string; readonly isEmbedded: boolean },
) {
  await tx.query(sql`INSERT INTO search_graph (graph_id, embedding_model, index_id)
    VALUES (${tx.graphId}, ${of.isEmbedded ? of.model : null}, ${of.indexId ?? null}) ON CONFLICT (graph_id) DO NOTHING`);
  if (of.isEmbedded) return;
  await tx.query(sql`UPDATE search_graph SET embedding_model = NULL, unembedded = nextval('search_generation')
    WHERE graph_id = ${tx.graphId}`);
}

const graphColumns = columnsOf<SearchGraph>()('graph_id', 'embedding_model', 'unembedded');

export type GraphRow = RowOf<typeof graphColumns>;

/** Graphs with entries that another embedder, or none, has made the vectors of; in a kernel transaction. */
export async function graphsEmbeddedOtherwise(
  tx: Transaction,
  model: string,
  page: { readonly after: string; readonly limit: number },
): Promise<readonly GraphRow[]> {
  return tx.query(sql<GraphRow>`SELECT ${graphColumns} FROM search_graph
    WHERE embedding_model IS DISTINCT FROM ${model} AND graph_id > ${page.after}
    ORDER BY graph_id LIMIT ${page.limit}`);
}

/** Notes that all vectors of a graph are of the model, unless entries without one were written meanwhile. */
export async function noteEmbedded(tx: Transaction, row: GraphRow, model: string): Promise<void> {
  await tx.query(sql`UPDATE search_graph SET embedding_model = ${model}
    WHERE graph_id = ${row.graph_id} AND unembedded = ${row.unembedded}`);
}
