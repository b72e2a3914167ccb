import { createToken, type Transaction } from '@pacioli/core';
import type { BlockWork } from './block-tokens.ts';
import type { LibraryPin, LibraryRows } from './library/index.ts';
import type { PinUpgradeReport } from './library-upgrades/index.ts';

/** The edition of the library that a graph uses, and the concepts that it hides. */
export interface LibraryView {
  readonly pin: LibraryPin;
  /** Concepts hidden from lists, searches and suggestions of the graph; single reads still return them. */
  readonly excludedIds: readonly string[];
}

/**
 * Pins and hidden concepts of each graph (taxonomy LB-9 to LB-12). `next` is the edition to move to, by default that of
 * this release.
 */
export interface LibraryViews {
  view(tx: Transaction): Promise<LibraryView>;
  /** Reports the effect of the edition on the graph; nothing is written (LB-12). */
  dryRun(tx: Transaction, next?: LibraryRows): Promise<PinUpgradeReport>;
  /** The pin of the graph when the edition does not contain it; such a pin blocks the start of the release (LB-9). */
  leftBehind(tx: Transaction, next?: LibraryRows): Promise<LibraryPin | undefined>;
  /** Moves the graph to a pin, marks it stale, and returns the report. Throws when a mapped concept is missing. */
  pin(work: BlockWork, value: unknown, next?: LibraryRows): Promise<PinUpgradeReport>;
  /**
   * Returns a pinned graph to the default edition, which follows the releases, and marks it stale. Throws when a mapped
   * concept is missing; the caller must roll back then.
   */
  unpin(work: BlockWork, next?: LibraryRows): Promise<void>;
  /** Replaces the hidden concepts of the graph. Throws for concepts that must stay visible (LB-10). */
  exclude(work: BlockWork, qnames: readonly string[]): Promise<void>;
}

export const libraryViews = createToken<LibraryViews>('taxonomy.library-views');
