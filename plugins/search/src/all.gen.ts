// Written by `npm run gen`. Do not edit.
import type { PluginParts } from '@pacioli/core';
import deleteDocument from './operations/delete-document.ts';
import indexDocument from './operations/index-document.ts';
import getDocumentSection from './routes/get-document-section.ts';
import getDocument from './routes/get-document.ts';
import listDocuments from './routes/list-documents.ts';
import searchDocuments from './routes/search-documents.ts';
import getDocumentSectionTool from './tools/get-document-section.ts';
import getDocumentTool from './tools/get-document.ts';
import listDocumentsTool from './tools/list-documents.ts';
import readDocumentFile from './tools/read-document-file.ts';
import searchDocumentsTool from './tools/search-documents.ts';
import updateDocument from './tools/update-document.ts';
import indexChangedTexts from './jobs/index-changed-texts.ts';
import renewVectors from './jobs/renew-vectors.ts';
import resolvePendingDocuments from './jobs/resolve-pending-documents.ts';
import textsChangedEvent from './events/texts-changed.ts';

export const all = {
  operations: [deleteDocument, indexDocument],
  routes: [getDocumentSection, getDocument, listDocuments, searchDocuments],
  tools: [getDocumentSectionTool, getDocumentTool, listDocumentsTool, readDocumentFile, searchDocumentsTool, updateDocument],
  jobs: [indexChangedTexts, renewVectors, resolvePendingDocuments],
  events: [textsChangedEvent],
} as const satisfies PluginParts;
