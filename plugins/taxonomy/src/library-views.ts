import { createToken, type Transaction } from '@pacioli/core';
import type { BlockWork } from './block-tokens.ts';
import type { LibraryPin, LibraryRows } from './library/index.ts';
import type { PinUpgradeReport } from './library-upgrades/index.ts';

/** How a graph looks at the library. */
export interface LibraryView {
  readonly pin: LibraryPin;
  /** Concepts that lists, searches and suggestions of the graph leave out; single reads still find them. */
  readonly excludedIds: readonly string[];
}

/**
 * The pin of each graph and what it hides (taxonomy LB-9 to LB-12). `next` is the edition to move to; without it the one
 * of this release.
 */
export interface LibraryViews {
  view(tx: Transaction): Promise<LibraryView>;
  /** What the edition would do to the graph; nothing is written (LB-12). */
  dryRun(tx: Transaction, next?: LibraryRows): Promise<PinUpgradeReport>;
  /** The pin of the graph when the edition does not bring it; such a pin keeps the release from starting (LB-9). */
  leftBehind(tx: Transaction, next?: LibraryRows): Promise<LibraryPin | undefined>;
  /** Moves the graph to a pin, marks it stale, and answers the report. Throws when a mapped concept is missing. */
  pin(work: BlockWork, value: unknown, next?: LibraryRows): Promise<PinUpgradeReport>;
  /**
   * Gives a pinned graph the default edition again, which follows the releases, and marks it stale. Throws when a mapped
   * concept is missing; the transaction must be given up then.
   */
  unpin(work: BlockWork, next?: LibraryRows): Promise<void>;
  /** Replaces what the graph hides. Throws for concepts that must stay visible (LB-10). */
  exclude(work: BlockWork, qnames: readonly string[]): Promise<void>;
}

export const libraryViews = createToken<LibraryViews>('taxonomy.library-views');
