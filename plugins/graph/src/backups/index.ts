/** Backups: archives of the database of a graph in the file store (graphs 15). */
export { backUpGraph } from './back-up-graph.ts';
export { backupAnswer, fileNameOf, ratio } from './backup-answers.ts';
export { readArchive } from './read-archive.ts';
export { type Replaced, type ReplaceServices, replaceDatabase } from './replace-database.ts';
export { replaceableGraph } from './replaceable-graph.ts';
export { restoreBackup } from './restore-backup.ts';
export {
  addBackup,
  backupStats,
  backupSummary,
  downloadsThisMonth,
  expiredBackups,
  failFinalBackups,
  failLostBackups,
  finalBackupsSince,
  finalRetentionDays,
  findDownloadable,
  listBackups,
  markExpired,
  moveBackups,
  noteDownload,
  requireBackupToday,
} from './stored-backups.ts';
export { backupErrors, takeBackup } from './take-backup.ts';
