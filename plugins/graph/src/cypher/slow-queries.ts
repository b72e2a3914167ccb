import { type Store, slowQueryMs, type Usage } from '@pacioli/core';

const maxTextCharacters = 100;

/**
 * Records a query that took long to return its first rows, with the start of its text and no parameters (graphs I-6,
 * H-31). A record that cannot be written is left out: the query has its answer.
 */
export async function noteSlowQuery(
  use: { readonly store: Store; readonly usage: Usage },
  graphId: string,
  text: string,
  elapsedMs: number,
): Promise<void> {
  if (elapsedMs < slowQueryMs) return;
  const details = { query: text.trimStart().slice(0, maxTextCharacters) };
  const record = { graphId, type: 'query_executed', amount: Math.round(elapsedMs), details } as const;
  await use.store.transaction('kernel', (tx) => use.usage.record(tx, record)).catch(() => undefined);
}
