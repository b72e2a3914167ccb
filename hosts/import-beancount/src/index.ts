/** Imports a Beancount journal: read, book, check its balances, plan the entries, write them over HTTP. */
export { formatReport } from './format-report.ts';
export { type ImportReport, runImport } from './run-import.ts';
