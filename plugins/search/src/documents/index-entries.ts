import { characterCount } from '@pacioli/core';
import { type IndexEntry, Turns } from '@pacioli/core/ports';
import type { FrontMatter } from './front-matter.ts';
import { splitFrontMatter } from './front-matter.ts';
import { partsOf, sectionsOf } from './sections.ts';

/** A document as it is indexed. */
export interface IndexedDocument {
  readonly graphId: string;
  readonly documentId: string;
  readonly title: string;
  readonly content: string;
  readonly tags: readonly string[] | null;
  readonly folder: string | null;
  readonly sourceType: string;
}

/** An entry without vector and generation, which are added when it is written. */
export type UnwrittenEntry = Omit<IndexEntry, 'embedding' | 'embeddingModel' | 'generation'>;

/** The entries of a document. */
export interface DocumentEntries {
  readonly frontMatter: FrontMatter;
  readonly entries: readonly UnwrittenEntry[];
  /** The sum of the lengths of the sections, in characters of UTF-16 (ai-surface D-14). */
  readonly contentLength: number;
}

/** The id that the entries of a document begin with, followed by `_` and their number (ai-surface D-14). */
export function searchBaseId(graphId: string, documentId: string): string {
  return `doc_${graphId}_${documentId}`;
}

/** The prefix of all entries of a document or text; of several, if it is the beginning of their ids before a `_`. */
export function entryPrefix(graphId: string, documentId: string): string {
  return `${searchBaseId(graphId, documentId)}_`;
}

/** The id of a document, given it or its search base id (ai-surface D-14). */
export function documentIdOf(graphId: string, id: string): string {
  const prefix = searchBaseId(graphId, '');
  return id.startsWith(prefix) ? id.slice(prefix.length) : id;
}

/** As `documentIdOf`, and also for the id of an entry, which a hit of a search has. */
export function documentIdOfHit(graphId: string, id: string): string {
  const documentId = documentIdOf(graphId, id);
  return documentId === id ? id : documentId.replace(/_\d+$/, '');
}

/**
 * Splits a document into entries; its front matter replaces what the row says (ai-surface D-21 to D-27). Gives way to
 * other requests.
 */
export async function entriesOf(document: IndexedDocument): Promise<DocumentEntries> {
  const { frontMatter, body } = splitFrontMatter(document.content);
  const title = frontMatter.title ?? document.title;
  const base = searchBaseId(document.graphId, document.documentId);
  // Copied by each entry: a spread is fast only as the first part of an object, and a document may have 20,000 entries.
  const shared = {
    ...noFiling,
    sourceType: document.sourceType,
    documentTitle: title,
    tags: frontMatter.tags ?? document.tags,
    folder: frontMatter.folder ?? document.folder,
  };
  const entries: UnwrittenEntry[] = [];
  const sections = await sectionsOf(body, title);
  const turns = new Turns();
  for (const { sectionId, label, text } of sections) {
    if (turns.isOver) await turns.next();
    const parts = await partsOf(text, turns);
    entries.push(...partEntries(base, entries.length, parts, { ...shared, sectionLabel: label, sectionId }));
  }
  return {
    frontMatter,
    entries,
    contentLength: entries.reduce((sum, { content }) => sum + characterCount(content), 0),
  };
}

/** The fields that all entries of a section share. */
type SectionFields = Omit<UnwrittenEntry, 'id' | 'parentId' | 'part' | 'partCount' | 'nextId' | 'content'>;

/** The entries of the parts of one section, which begin with the number `first` (ai-surface D-27). */
export function partEntries(
  base: string,
  first: number,
  parts: readonly string[],
  fields: SectionFields,
): readonly UnwrittenEntry[] {
  return parts.map((content, at) => ({
    ...fields,
    id: `${base}_${first + at}`,
    parentId: parts.length === 1 ? null : `${base}_${first}`,
    part: at + 1,
    partCount: parts.length,
    nextId: at + 1 < parts.length ? `${base}_${first + at + 1}` : null,
    content,
  }));
}

/** The facts of a filing, which documents do not have. */
const noFiling = {
  entityTicker: null,
  entityName: null,
  entityCik: null,
  elementQname: null,
  xbrlElements: null,
  filingDate: null,
  fiscalYear: null,
  fiscalPeriod: null,
  formType: null,
  accessionNumber: null,
  contentUrl: null,
} as const;
