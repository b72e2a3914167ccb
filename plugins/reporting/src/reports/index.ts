/** Reports: statements of the books at the time of their generation, and their filing. */
export { findBundle } from './bundle-rows.ts';
export { contributions } from './contributions.ts';
export { refuseOthersWork } from './report-authors.ts';
export { columnsOfWindow, listedColumns } from './report-columns.ts';
export { downloadReport, promiseReportDownload } from './report-downloads.ts';
export { changeErrors, copyError, generationErrors } from './report-errors.ts';
export { ReportFiler } from './report-filer.ts';
export { reportForecastServices } from './report-forecast.ts';
export { readPackage } from './report-package.ts';
export { noteChangedTexts } from './report-passages.ts';
export { readShownReport, readShownReports, readStatement, reportResponse } from './report-reader.ts';
export { findReport, lockReport, type ReportRow, writeConflict } from './report-rows.ts';
export { workOf } from './report-work.ts';
export { ReportWriter } from './report-writer.ts';
export { reportServices } from './services.ts';
export { findStatements, type StatementRow } from './statement-rows.ts';
