import type { HeardChange } from '@pacioli/core';
import { documentUri } from '../server/index.ts';
import type { ListenFilter } from './listen-filter.ts';

/** The changes that a stream sends together. */
export interface Changes {
  /** The list of documents has changed. */
  readonly isListChanged: boolean;
  /** The URIs of changed documents. */
  readonly uris: readonly string[];
}

/**
 * The changes that a stream has not sent yet, each once, so that the memory for a slow reader is bounded by the URIs of
 * its filter (ai-surface M-20f).
 */
export class PendingChanges {
  readonly #graphId: string;
  readonly #filter: ListenFilter;
  readonly #uris = new Set<string>();
  #isListChanged = false;
  /** True at first, because rights may have changed since the request was admitted. */
  #mustCheck = true;

  constructor(graphId: string, filter: ListenFilter) {
    this.#graphId = graphId;
    this.#filter = filter;
  }

  get isEmpty(): boolean {
    return !this.#mustCheck && !this.#isListChanged && this.#uris.size === 0;
  }

  /** Adds a change; undefined means that any change may have been missed. */
  add(change: HeardChange | undefined): void {
    const { resources, uris } = this.#filter;
    if (change === undefined) {
      this.#mustCheck = true;
      this.#isListChanged = resources;
      for (const uri of uris) this.#uris.add(uri);
    } else if (change.kind === 'documents') this.#isListChanged ||= resources;
    else if (change.kind === 'document') {
      const uri = documentUri(this.#graphId, change.subject ?? '');
      if (uris.has(uri)) this.#uris.add(uri);
    } else this.#mustCheck = true;
  }

  /** Asks for a check of the caller's rights at the next turn. */
  check(): void {
    this.#mustCheck = true;
  }

  /** Takes all changes, so that one that is heard during a check waits for the next. */
  take(): Changes {
    const taken = { isListChanged: this.#isListChanged, uris: [...this.#uris] };
    this.#mustCheck = false;
    this.#isListChanged = false;
    this.#uris.clear();
    return taken;
  }
}
