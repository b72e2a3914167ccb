/** Statements as people read them, for programs that print them without a service. */
export {
  datesOf,
  foldTotals,
  type LiveRow,
  liveStatement,
  type ShownStatement,
  statementLines,
  unitNote,
  unitOf,
} from './serialization/documents/index.ts';
