import type { Log, Store } from '@pacioli/core';
import type { Embedder, SearchIndex } from '@pacioli/core/ports';
import { type GraphRow, noteEmbedded } from './pending-rows.ts';
import { vectorsOf } from './vectors.ts';

const entriesPerPage = 100;

/**
 * Makes the vectors of a graph's entries that are of another embedder, page by page; searches answer meanwhile (SR-13).
 * Stops when the embedder does not answer, or the signal is aborted.
 */
export async function renewVectors(
  use: { readonly store: Store; readonly index: SearchIndex; readonly embedder: Embedder; readonly log: Log },
  graph: GraphRow,
  signal: AbortSignal,
): Promise<void> {
  const { index, embedder } = use;
  const graphId = graph.graph_id;
  let afterId: string | undefined;
  for (;;) {
    if (signal.aborted) return;
    const page = { afterId, limit: entriesPerPage };
    const entries = await index.notEmbeddedBy(graphId, embedder.id, page, { signal });
    const vectors = await vectorsOf(use, entries, signal);
    if (vectors === undefined) return;
    const renewed = entries.flatMap(({ id, generation }, at) => {
      const embedding = vectors[at];
      return embedding === undefined ? [] : [{ id, generation, embedding, embeddingModel: embedder.id }];
    });
    await index.setVectors(graphId, renewed, { signal });
    if (entries.length < entriesPerPage) break;
    afterId = entries.at(-1)?.id;
  }
  await use.store.transaction('kernel', (tx) => noteEmbedded(tx, graph, embedder.id));
}
