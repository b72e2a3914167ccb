/** Reports as documents for people: spreadsheets, lists of facts, pages. */
export { writeCsv } from './csv.ts';
export { foldTotals } from './folded-totals.ts';
export { writeHtml } from './html.ts';
export { type LiveRow, liveStatement } from './live-rows.ts';
export { xhtmlOf } from './markdown.ts';
export { datesOf, unitNote, unitOf } from './printed-statements.ts';
export type { ShownStatement } from './shown-statement.ts';
export { statementLines, writeText } from './text.ts';
export { writeXlsx } from './xlsx.ts';
