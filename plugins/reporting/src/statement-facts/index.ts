/** The statements of the books as facts: what reports store, and what a close of a month would. */
export type { NoteNetwork } from './compose-notes.ts';
export type { ComposedStatement, StatementRowHead } from './compose-statements.ts';
export { NoteComposer } from './note-composer.ts';
export { labelInRole, type PreferredLabel, preferredLabelOf } from './preferred-labels.ts';
export { shownValues } from './shown-values.ts';
export { StatementComposer } from './statement-composer.ts';
