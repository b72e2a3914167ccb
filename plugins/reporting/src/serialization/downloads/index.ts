/** The formats of reports, and their files. */
export { storedFormat } from './built-in-formats.ts';
export { formatContributions } from './contributions.ts';
export { bundleKey, filesOfReport, formatKey, ReportFiles } from './report-files.ts';
export { type ReportSerializer, reportSerializers, serialized } from './serializer.ts';
