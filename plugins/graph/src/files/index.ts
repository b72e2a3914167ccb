/** Files of generic graphs, and the staging of their rows (graphs 11, 12). */
export { attempt, throwFailures } from './attempts.ts';
export { fileOfKey, keyOf, uploadedFilesPrefix } from './file-keys.ts';
export { checkedUpload, contentTypeOf, fileRefusals, graphRefusals, maxFileBytes, requireFiles } from './file-rules.ts';
export { runSql } from './run-sql.ts';
export { withSettled } from './settled-staging.ts';
export {
  danglingWarnings,
  stagedStates,
  stageFile,
  stagingErrors,
  stagingFailure,
  uploadedFile,
} from './stage-file.ts';
export { stagedTables } from './staged-tables.ts';
export {
  addFile,
  existingFiles,
  filesByTable,
  findFile,
  forgetFiles,
  ingestion,
  listFiles,
  neverIngested,
  noteIngested,
  removeFile,
  removeNeverIngested,
  type StoredFile,
  someFiles,
} from './stored-files.ts';
