import { columnsOf, type RawBuilder, type RowOf, sql, type Transaction, textList } from '@pacioli/core';
import type { SearchListedText, SearchPendingText } from '../rows.gen.ts';
import { nextTryAt } from './pending-rows.ts';

const columns = columnsOf<SearchPendingText>()('graph_id', 'text_id', 'version', 'precedes_search', 'tries');

export type PendingText = RowOf<typeof columns>;

/** States in the transaction that changes texts that their entries have to follow, before the next search. */
export async function addChangedTexts(tx: Transaction, textIds: readonly string[], now: Date): Promise<void> {
  // In one order, so that two transactions cannot wait for each other.
  await tx.query(sql`INSERT INTO search_pending_text (graph_id, text_id, precedes_search, next_try_at)
    SELECT ${tx.graphId}, id, true, ${now} FROM unnest(${textList([...textIds].sort())}) AS changed (id) ORDER BY id
    ON CONFLICT (graph_id, text_id) DO UPDATE SET version = nextval('search_generation'), precedes_search = true,
      tries = 0, next_try_at = ${now}`);
}

/** States that texts that already existed are to be indexed; those that are pending stay as they are. */
export async function addExistingTexts(tx: Transaction, textIds: readonly string[], now: Date): Promise<void> {
  await tx.query(sql`INSERT INTO search_pending_text (graph_id, text_id, precedes_search, next_try_at)
    SELECT ${tx.graphId}, id, false, ${now} FROM unnest(${textList(textIds)}) AS existing (id)
    ON CONFLICT (graph_id, text_id) DO NOTHING`);
}

export async function findPendingText(tx: Transaction, textId: string): Promise<PendingText | undefined> {
  const [row] = await tx.query(sql<PendingText>`SELECT ${columns} FROM search_pending_text
    WHERE graph_id = ${tx.graphId} AND text_id = ${textId}`);
  return row;
}

/** A page of the texts that a search of the graph waits for, by id. */
export async function textsBeforeSearch(
  tx: Transaction,
  page: { readonly afterId: string; readonly limit: number },
): Promise<readonly PendingText[]> {
  return tx.query(sql<PendingText>`SELECT ${columns} FROM search_pending_text
    WHERE graph_id = ${tx.graphId} AND precedes_search AND text_id > ${page.afterId}
    ORDER BY text_id LIMIT ${page.limit}`);
}

/** A page of the texts of one graph, or of all, that are due, by graph and id; in a kernel transaction. */
export async function dueTexts(
  tx: Transaction,
  of: { readonly graphId: string | undefined; readonly now: Date },
  page: { readonly after: Pick<PendingText, 'graph_id' | 'text_id'> | undefined; readonly limit: number },
): Promise<readonly PendingText[]> {
  const graphId = of.graphId ?? null;
  const { graph_id: afterGraph, text_id: afterId } = page.after ?? { graph_id: '', text_id: '' };
  return tx.query(sql<PendingText>`SELECT ${columns} FROM search_pending_text
    WHERE next_try_at <= ${of.now} AND (${graphId}::text IS NULL OR graph_id = ${graphId})
      AND (graph_id, text_id) > (${afterGraph}, ${afterId})
    ORDER BY graph_id, text_id LIMIT ${page.limit}`);
}

/** The index is like this version of the text. */
export async function forgetText(tx: Transaction, text: PendingText): Promise<void> {
  await tx.query(sql`DELETE FROM search_pending_text
    WHERE graph_id = ${tx.graphId} AND text_id IN (${sameVersion(tx, text)})`);
}

/** Tries again later; `precedesSearch` is false once the former entries are removed. */
export async function postponeText(
  tx: Transaction,
  text: PendingText,
  of: { readonly precedesSearch: boolean; readonly now: Date },
): Promise<void> {
  const tries = text.tries + 1;
  await tx.query(sql`UPDATE search_pending_text SET precedes_search = ${of.precedesSearch}, tries = ${tries},
      next_try_at = ${nextTryAt(tries, of.now)}
    WHERE graph_id = ${tx.graphId} AND text_id IN (${sameVersion(tx, text)})`);
}

/**
 * The text unless it has changed since. A transaction that changes it may take long, such as one that delivers a report:
 * instead of waiting for it, the row is left, and the change makes it pending anyway.
 */
function sameVersion(tx: Transaction, { text_id: textId, version }: PendingText): RawBuilder<unknown> {
  return sql`SELECT text_id FROM search_pending_text WHERE graph_id = ${tx.graphId} AND text_id = ${textId}
    AND version = ${version} FOR UPDATE SKIP LOCKED`;
}

/** The prefixes of the ids of texts that were listed in the graph. */
export async function listedPrefixes(tx: Transaction): Promise<readonly string[]> {
  const rows = await tx.query(sql<Pick<SearchListedText, 'id_prefix'>>`SELECT id_prefix FROM search_listed_text
    WHERE graph_id = ${tx.graphId} ORDER BY id_prefix`);
  return rows.map(({ id_prefix: prefix }) => prefix);
}

/** Notes that the texts of a prefix are listed; false if another transaction has listed them. */
export async function noteListed(tx: Transaction, prefix: string): Promise<boolean> {
  const rows = await tx.query(sql<Pick<SearchListedText, 'id_prefix'>>`
    INSERT INTO search_listed_text (graph_id, id_prefix) VALUES (${tx.graphId}, ${prefix})
    ON CONFLICT (graph_id, id_prefix) DO NOTHING RETURNING id_prefix`);
  return rows.length > 0;
}

/** Forgets the texts of a prefix, whose plugin is no longer there. */
export async function forgetListed(tx: Transaction, prefix: string): Promise<void> {
  await tx.query(sql`DELETE FROM search_listed_text WHERE graph_id = ${tx.graphId} AND id_prefix = ${prefix}`);
  await tx.query(sql`DELETE FROM search_pending_text
    WHERE graph_id = ${tx.graphId} AND starts_with(text_id, ${`${prefix}_`})`);
}
