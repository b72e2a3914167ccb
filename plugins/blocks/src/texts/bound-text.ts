import { createHash } from 'node:crypto';
import { characterCount } from '@pacioli/core';
import type { DocumentSection } from './document-sections.ts';

const maxTextCharacters = 500_000;
const maxSlugsNamed = 100;

/** The text to store in a fact, or the reason why it cannot be bound (T-2). */
export type TextChoice =
  | { readonly text: string; readonly characters: number; readonly contentHash: string }
  | { readonly problem: string };

/** The body of a document, with its sections if one of them may be bound. */
export interface BindableDocument {
  readonly body: string;
  readonly sections: readonly DocumentSection[];
}

/** Selects the body of a document or one of its sections, without surrounding blank lines. */
export function chooseText({ body, sections }: BindableDocument, sectionId: string | null): TextChoice {
  const section = sectionId === null ? undefined : sections.find(({ slug }) => slug === sectionId);
  if (sectionId !== null && section === undefined) return { problem: unknownSection(sections, sectionId) };
  const text = section?.text ?? body.trim();
  const what = sectionId === null ? 'The document' : `The section '${sectionId}'`;
  if (text === '' || section?.hasContent === false) {
    return { problem: `${what} has no text. Write it first, or bind something else.` };
  }
  const characters = characterCount(text);
  if (characters > maxTextCharacters) {
    const advice = 'Bind its sections by section_id, or shorten it.';
    return { problem: `${what} has ${characters} characters, and at most ${maxTextCharacters} are bound. ${advice}` };
  }
  return { text, characters, contentHash: hashOf(text) };
}

/** The source of a text fact (reporting 1.3, T-4). */
export interface TextSource {
  readonly documentId: string;
  readonly sectionId: string | null;
  readonly contentHash: string;
}

/** The provenance of a text fact in its stored form. */
export function provenanceOf(source: TextSource, assertedBy: string): Readonly<Record<string, unknown>> {
  return {
    origin: 'document',
    document_id: source.documentId,
    section_id: source.sectionId,
    content_hash: source.contentHash,
    asserted_by: assertedBy,
  };
}

/** The document named in a stored provenance; undefined for facts of any other origin. */
export function sourceOf(provenance: Readonly<Record<string, unknown>> | null): TextSource | undefined {
  if (provenance?.['origin'] !== 'document') return undefined;
  const { document_id, section_id, content_hash } = provenance;
  if (typeof document_id !== 'string' || typeof content_hash !== 'string') return undefined;
  return {
    documentId: document_id,
    sectionId: typeof section_id === 'string' ? section_id : null,
    contentHash: content_hash,
  };
}

/** True if the text has changed since it was bound, or if its document no longer exists (T-6). */
export function hasDrifted(source: TextSource, document: BindableDocument | undefined): boolean {
  if (document === undefined) return true;
  const now = chooseText(document, source.sectionId);
  return 'problem' in now || now.contentHash !== source.contentHash;
}

function unknownSection(sections: readonly DocumentSection[], sectionId: string): string {
  const slugs = sections.map(({ slug }) => slug);
  const named = slugs.slice(0, maxSlugsNamed).join(', ');
  const more = slugs.length > maxSlugsNamed ? ` and ${slugs.length - maxSlugsNamed} more` : '';
  return `Section '${sectionId}' not found in the document. Available sections: ${named}${more}.`;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
