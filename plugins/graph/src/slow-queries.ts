import { type Store, slowQuery_ms, type Usage } from '@pacioli/core';

const text_characters_max = 100;

/** Keeps a query that took long until its first rows, with the beginning of its text and no parameter (graphs I-6, H-31). */
export async function noteSlowQuery(
  use: { readonly store: Store; readonly usage: Usage },
  graphId: string,
  text: string,
  elapsed_ms: number,
): Promise<void> {
  if (elapsed_ms < slowQuery_ms) return;
  const details = { query: text.trimStart().slice(0, text_characters_max) };
  await use.store.transaction('kernel', (tx) =>
    use.usage.record(tx, { graphId, type: 'query_executed', amount: Math.round(elapsed_ms), details }),
  );
}
