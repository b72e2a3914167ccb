import type { Log, Store } from '@pacioli/core';
import type { Embedder, EntryVector, FoundEntry, SearchIndex } from '@pacioli/core/ports';
import { type GraphRow, noteEmbedded } from './pending-rows.ts';
import { vectorsOf } from './vectors.ts';

const entriesPerPage = 100;
/** An embedder that refuses so many calls in a row is down; fewer are about entries that it never takes. */
const maxRefusals = 16;

interface RenewalServices {
  readonly store: Store;
  readonly index: SearchIndex;
  readonly embedder: Embedder;
  readonly log: Log;
}

/**
 * Makes the vectors of a graph's entries that are of another embedder, page by page; searches answer meanwhile (SR-13).
 * Entries that the embedder refuses are left for the next time, without holding up others. Stops when it does not answer,
 * or the signal is aborted.
 */
export async function renewVectors(use: RenewalServices, graph: GraphRow, signal: AbortSignal): Promise<void> {
  const { index, embedder } = use;
  const graphId = graph.graph_id;
  const renewal = new PageRenewal(use, signal);
  let afterId: string | undefined;
  for (;;) {
    if (signal.aborted) return;
    const page = { afterId, limit: entriesPerPage };
    const entries = await index.notEmbeddedBy(graphId, embedder.id, page, { signal });
    await index.setVectors(graphId, await renewal.vectors(entries), { signal });
    if (renewal.isDown) return;
    if (entries.length < entriesPerPage) break;
    afterId = entries.at(-1)?.id;
  }
  if (renewal.hasRefused) return;
  await use.store.transaction('kernel', (tx) => noteEmbedded(tx, graph, embedder.id));
}

class PageRenewal {
  readonly #use: RenewalServices;
  readonly #signal: AbortSignal;
  #refusals = 0;
  /** Some entries have no vector. */
  hasRefused = false;

  constructor(use: RenewalServices, signal: AbortSignal) {
    this.#use = use;
    this.#signal = signal;
  }

  /** True after as many refusals in a row as a whole page that has one refused entry cannot cause. */
  get isDown(): boolean {
    return this.#refusals >= maxRefusals;
  }

  /** The vectors that the embedder makes; a refused call is repeated for each half of its entries. */
  async vectors(entries: readonly FoundEntry[]): Promise<readonly EntryVector[]> {
    if (entries.length === 0 || this.isDown || this.#signal.aborted) return [];
    const vectors = await vectorsOf(this.#use, entries, this.#signal);
    if (vectors !== undefined) {
      this.#refusals = 0;
      return entries.flatMap(({ id, generation }, at) => {
        const embedding = vectors[at];
        return embedding === undefined ? [] : [{ id, generation, embedding, embeddingModel: this.#use.embedder.id }];
      });
    }
    this.#refusals += 1;
    this.hasRefused = true;
    if (entries.length === 1) return [];
    const middle = Math.ceil(entries.length / 2);
    const first = await this.vectors(entries.slice(0, middle));
    return [...first, ...(await this.vectors(entries.slice(middle)))];
  }
}
