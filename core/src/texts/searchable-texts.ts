import { type Collection, type CollectionEntry, createCollection } from '../container/token.ts';
import type { Transaction } from '../store/store.ts';

/** One passage of a text, such as a text block of a report; a search cuts a long one into parts. */
export interface SearchablePassage {
  readonly content: string;
  readonly sectionId: string | null;
  readonly sectionLabel: string | null;
  readonly elementQname: string | null;
}

/** A text with what a search filters and shows of it (ai-surface 2.1); null where it is not known. */
export interface SearchableText {
  /** Such as `xbrl_textblock`. */
  readonly sourceType: string;
  readonly title: string;
  readonly entityName: string | null;
  readonly entityTicker: string | null;
  readonly entityCik: string | null;
  /** `YYYY-MM-DD`. */
  readonly filingDate: string | null;
  readonly fiscalYear: number | null;
  readonly fiscalPeriod: string | null;
  readonly accessionNumber: string | null;
  readonly passages: readonly SearchablePassage[];
  /** True if the text has more passages than the limit. */
  readonly isCut: boolean;
}

/** The most that is searched of one text. */
export interface PassageLimit {
  readonly passages: number;
  /** A passage that begins beyond so many characters is left out. */
  readonly characters: number;
}

/**
 * Texts other than documents that a search of their graph finds, contributed by the plugins that store them. The key is
 * the prefix of their ids: the texts of the contribution `rpt` have ids such as `rpt_01JX…`.
 */
export interface SearchableTexts extends CollectionEntry {
  /** The text with this id in the transaction's graph; undefined if nobody is to find it, or it does not exist. */
  find(tx: Transaction, textId: string, limit: PassageLimit): Promise<SearchableText | undefined>;
  /** A page of the ids of all texts that are to be found in the transaction's graph, in their order. */
  list(tx: Transaction, page: { readonly afterId: string; readonly limit: number }): Promise<readonly string[]>;
}

/** Follows the changes of searchable texts; contributed by the plugin that searches, so that nobody does without it. */
export interface TextChanges extends CollectionEntry {
  /**
   * Called in the transaction that creates, changes or removes these texts of its graph; at most 1,000. It costs a
   * statement and does not wait for an index: after the commit, no search finds what the texts were before.
   */
  changed(tx: Transaction, textIds: readonly string[]): Promise<void>;
}

export const searchableTexts: Collection<SearchableTexts> = createCollection('kernel.searchable-texts');
export const textChanges: Collection<TextChanges> = createCollection('kernel.text-changes');
