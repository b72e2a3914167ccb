import { characterCount, type Graph, invalidInput, ServiceError } from '@pacioli/core';

/** The limits of a document, in characters and numbers (ai-surface D-10). */
export const documentLimits = {
  titleCharacters: 500,
  contentCharacters: 500_000,
  tags: 50,
  tagCharacters: 100,
  folderCharacters: 200,
  externalIdCharacters: 256,
} as const;

/** The fields that a request may give; null means to clear tags and folder, and is otherwise the same as absent. */
export interface DocumentRequest {
  readonly document_id?: string | null;
  readonly title?: string | null;
  readonly content?: string | null;
  readonly tags?: readonly string[] | null;
  readonly folder?: string | null;
  readonly external_id?: string | null;
}

/** The refusals of every write of documents. */
export const writeErrors = {
  REPOSITORY: { kind: 'forbidden', meaning: 'A shared repository has no documents of its own.' },
  SEARCH_OFF: { kind: 'unavailable', meaning: 'The deployment has no search, or it is switched off.' },
} as const;

/** Throws 403 on shared repositories, whose texts are only searched (ai-surface D-1). */
export function requireOwnDocuments(graph: Pick<Graph, 'type'>): void {
  if (graph.type !== 'repository') return;
  const message = 'Content operations are not available on shared repositories';
  throw new ServiceError('forbidden', 'REPOSITORY', message);
}

/** Throws 422 for a request that no document can have (ai-surface D-10). */
export function requireWithinLimits(request: DocumentRequest): void {
  const isCreate = request.document_id == null;
  const { title, content, tags, folder, external_id: externalId } = request;
  if (isCreate && (isBlank(title) || content == null))
    throw invalidInput('title and content are required to create a document');
  if (title != null && isBlank(title)) throw invalidInput('title must not be empty; leave it out to keep it.');
  if (isCreate && externalId != null && isBlank(externalId))
    throw invalidInput('external_id must not be blank; leave it out for a document without one.');
  requireLength('title', title, documentLimits.titleCharacters);
  requireLength('content', content, documentLimits.contentCharacters);
  requireLength('folder', folder, documentLimits.folderCharacters);
  requireLength('external_id', externalId, documentLimits.externalIdCharacters);
  if (tags != null && tags.length > documentLimits.tags) {
    throw invalidInput(`tags has ${tags.length} entries; a document has at most ${documentLimits.tags}.`);
  }
  tags?.forEach((tag, at) => {
    requireLength(`tags[${at}]`, tag, documentLimits.tagCharacters);
  });
  if (content != null && content.trim() === '') throw noSections();
}

/** The refusal of a document without any text (ai-surface D-10). */
export function noSections(): ServiceError {
  return invalidInput('Document produced no indexable sections');
}

function requireLength(name: string, text: string | null | undefined, most: number): void {
  // The number of UTF-16 units is at least that of characters, and known.
  if (text == null || text.length <= most) return;
  const characters = characterCount(text);
  if (characters > most) throw invalidInput(`${name} has ${characters} characters; it may have at most ${most}.`);
}

const isBlank = (text: string | null | undefined): boolean => text == null || text.trim() === '';
