/** Changes of single journal entries by hand. */

export type { DraftAuthor, EntryChange, JournalDrafts } from './journal-drafts.ts';
export { JournalEditor } from './journal-editor.ts';
