import type { Clock, Store } from '@pacioli/core';
import { markedForMs, noteChange } from './changed-graphs.ts';

const maxMarked = 5_000;

/** Marks subgraphs that statements wrote, so that the next night backs them up. */
export class WriteMarks {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #marked = new Map<string, number>();

  constructor(use: { readonly store: Store; readonly clock: Clock }) {
    this.#store = use.store;
    this.#clock = use.clock;
  }

  async note(graphId: string): Promise<void> {
    const now = this.#clock.now();
    const last = this.#marked.get(graphId);
    if (last !== undefined && now.getTime() - last < markedForMs) return;
    await this.#store.transaction({ graphId }, (tx) => noteChange(tx, graphId, now));
    if (this.#marked.size >= maxMarked) this.#marked.clear();
    this.#marked.set(graphId, now.getTime());
  }
}
