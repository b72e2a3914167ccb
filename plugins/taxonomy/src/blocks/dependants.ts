import type { CollectionEntry, Transaction } from '@pacioli/core';

export interface MonthSpan {
  readonly count: number;
  /** `YYYY-MM`. */
  readonly first: string;
  readonly last: string;
}

/** Knowledge of the owner of journal lines and facts about elements; consulted before elements or arcs change. */
export interface ElementGuard extends CollectionEntry {
  /** Returns the elements that have journal lines or facts and can therefore only be retired. */
  used(tx: Transaction, elementIds: readonly string[]): Promise<readonly string[]>;
  /** The closed months that a change of these accounts would affect; undefined when there are none (taxonomy T-40). */
  closedMonths(tx: Transaction, elementIds: readonly string[]): Promise<MonthSpan | undefined>;
  /**
   * Blocks the closing of months until the transaction ends, so that the state that was checked cannot change (taxonomy
   * T-40).
   */
  lockHistory?(tx: Transaction): Promise<void>;
  /**
   * Returns the structures that a plugin keeps as information blocks: they are deleted only with their block, and the
   * checks of a taxonomy exclude them.
   */
  usedStructures?(tx: Transaction, structureIds: readonly string[]): Promise<readonly string[]>;
}

/**
 * Notified in the same transaction when a chart was created through a block, so that an entity can be linked (T-28).
 */
export interface ChartListener extends CollectionEntry {
  created(args: {
    readonly tx: Transaction;
    readonly taxonomyId: string;
    readonly userId: string;
    readonly now: Date;
  }): Promise<void>;
}

/** Elements and structures about to be deleted. */
export interface BlockAtoms {
  readonly elementIds: readonly string[];
  readonly structureIds: readonly string[];
}

/** Sets of facts that must not be deleted: their number and the months they cover (taxonomy T-40). */
export interface ProtectedSets extends MonthSpan {
  /** True when a filed or archived report contains one of them, so that reopening does not release them. */
  readonly isFiled?: boolean;
}

/** Knowledge and duties of the owner of facts and verification results when a block changes or is deleted. */
export interface BlockDependant extends CollectionEntry {
  /** Returns the elements that have live facts (taxonomy T-31). */
  elementsWithFacts(tx: Transaction, elementIds: readonly string[]): Promise<readonly string[]>;
  /** Counts the live facts of the elements and structures (taxonomy T-37). */
  countFacts(tx: Transaction, atoms: BlockAtoms): Promise<number>;
  /** Filed reports and closed statements that the deletion would destroy; undefined for none (T-40). */
  protectedSets(tx: Transaction, atoms: BlockAtoms): Promise<ProtectedSets | undefined>;
  /** Closed statements with facts on the elements, which a change of balance side would falsify (taxonomy T-40). */
  closedSets?(tx: Transaction, elementIds: readonly string[]): Promise<ProtectedSets | undefined>;
  /** Deletes the facts of the elements and structures, and returns their number. */
  removeFacts(tx: Transaction, atoms: BlockAtoms): Promise<number>;
  /** Deletes the verification results of deleted rules (taxonomy T-38, M-11). */
  removeResults(tx: Transaction, ruleIds: readonly string[]): Promise<void>;
  /** The stored verification results of a taxonomy's rules, newest first, at most 1,000. */
  results(tx: Transaction, ruleIds: readonly string[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
}
