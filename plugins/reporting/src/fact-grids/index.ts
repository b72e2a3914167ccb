/** Facts of the analytical graph as grids: the reads, and without I/O what is shown of them. */
export { entitiesOfNames } from './entities-of-names.ts';
export {
  type GraphReader,
  graphErrors,
  openGraph,
  reportErrors,
  requireReport,
  staleNote,
} from './graph-reader.ts';
export type { GridFact } from './grid-facts.ts';
export { dimensionsOf, distinctFacts, isBetter, selectedFacts, startOf, summaryOf } from './grid-facts.ts';
export { axesOf, checkGridRequest, gridStatement, requestedEntities } from './grid-request.ts';
export { type PresentationArc, presentationRows } from './presentation-order.ts';
export { periodFilter, type StatementFact, statementFacts } from './statement-facts.ts';
