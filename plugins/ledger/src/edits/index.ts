/** Changes of single journal entries by hand. */
export { JournalEditor } from './journal-editor.ts';
