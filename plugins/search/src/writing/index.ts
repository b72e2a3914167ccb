/** Creates, changes and deletes documents. */
export { DocumentWriter, noDocument, type PreparedWrite, type WriteOrder } from './document-writer.ts';
