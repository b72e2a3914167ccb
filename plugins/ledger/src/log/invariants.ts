import type { RawBuilder, Transaction } from '@pacioli/core';

/**
 * A rule of the books, and a statement that finds the rows that break it; `graph_id` is bound by row security as well.
 */
export interface Invariant {
  readonly rule: string;
  readonly meaning: string;
  offenders(graphId: string): RawBuilder<{ id: string }>;
}

/** A rule that the books violate. */
export interface BrokenInvariant {
  /** The rule of the specification, such as `L-196`. */
  readonly rule: string;
  readonly meaning: string;
  /** Ids of rows that violate it; at most 20. */
  readonly offenders: readonly string[];
}

/** Checks the books of the transaction's graph against the rules that hold after every write (ledger 10). */
export interface BookVerifier {
  /**
   * Returns an empty list when the books are sound. Reads all rows of the books and of their log in batches. Needs the
   * one snapshot of a read-only transaction: rows that are sealed between two statements would look altered.
   */
  verify(tx: Transaction): Promise<readonly BrokenInvariant[]>;
}
