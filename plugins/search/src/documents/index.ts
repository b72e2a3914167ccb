/** Stored documents, their front matter and their sections. */

export { documentPart, documentsOfPath, maxPathCharacters, partCharacters } from './document-paths.ts';
export {
  countUploaded,
  type DocumentFields,
  type DocumentRow,
  deleteDocument,
  findByExternalId,
  findContents,
  findDocument,
  insertDocument,
  listDocuments,
  lockDocument,
  lockDocuments,
  nextGeneration,
  setIndexState,
  updateDocument,
} from './document-rows.ts';
export {
  type DocumentRequest,
  noSections,
  requireOwnDocuments,
  requireWithinLimits,
  writeErrors,
} from './document-rules.ts';
export { documentView, listedView, trustOf } from './document-views.ts';
export { splitFrontMatter } from './front-matter.ts';
export {
  type DocumentEntries,
  documentIdOf,
  documentIdOfHit,
  entriesOf,
  entryPrefix,
  type IndexedDocument,
  searchBaseId,
  type UnwrittenEntry,
} from './index-entries.ts';
export { entriesOfText } from './text-entries.ts';
