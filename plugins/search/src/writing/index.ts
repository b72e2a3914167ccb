/** Creates, changes and deletes documents. */
export { DocumentWriter, noDocument, type PreparedWrite, type WriteOrder, writeResult } from './document-writer.ts';
