import type { Transaction } from '@pacioli/core';
import type { EntryType, Line } from '../journal/index.ts';
import type { Actor } from '../values/index.ts';

/** A change of a draft; undefined fields stay (ledger L-55). */
export interface EntryChange {
  readonly entryId: string;
  /** The version that the caller read; the change is refused when the draft has another one by now (ledger L-216). */
  readonly version?: number;
  readonly postingDate?: string | undefined;
  /** Null clears it. */
  readonly memo?: string | null | undefined;
  readonly type?: EntryType | undefined;
  /** They replace all lines. */
  readonly lines?: readonly Line[] | undefined;
}

/** Changes drafts for other plugins, in their transaction, and keeps replaced versions (ledger L-54 to L-59, L-216). */
export interface JournalDrafts {
  /** Returns the draft's new version. Throws `VERSION_CHANGED` when the given version is not the current one. */
  change(tx: Transaction, change: EntryChange, by: DraftAuthor): Promise<number>;
  /** The version of an entry, draft or not; undefined when there is none. */
  version(tx: Transaction, entryId: string): Promise<number | undefined>;
}

/** The author and time of a change of a draft. */
export type DraftAuthor = Actor;
