/** Words, codes, CSV and graphs: exact calculations without a database. */
export { codeOrder } from './code-order.ts';
export { type CsvRow, parseCsv } from './csv.ts';
export { findCycle, reachableFrom } from './graph-walk.ts';
export { groupBy } from './group-by.ts';
export {
  associationTable,
  elementTable,
  insertRows,
  type RowValues,
  ruleTable,
  structureTable,
  taxonomyTable,
  upsertRows,
} from './insert-rows.ts';
export { normalizedWords, tellingWords, withoutStopWords } from './words.ts';
