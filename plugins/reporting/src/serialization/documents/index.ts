/** Reports as documents for people: spreadsheets, lists of facts, pages. */
export { writeCsv } from './csv.ts';
export { writeHtml } from './html.ts';
export { xhtmlOf } from './markdown.ts';
export { writeXlsx } from './xlsx.ts';
