/** Backups: archives of the database of a graph in the file store (graphs 15). */
export { backupAnswer, fileNameOf, ratio } from './backup-answers.ts';
export { readArchive } from './read-archive.ts';
export { restoreBackup } from './restore-backup.ts';
export {
  addBackup,
  backupStats,
  downloadsThisMonth,
  expiredBackups,
  failLostBackups,
  finalBackupsSince,
  finalRetentionDays,
  findDownloadable,
  listBackups,
  markExpired,
  noteDownload,
  requireBackupToday,
} from './stored-backups.ts';
export { type BackedUpGraph, backupErrors, takeBackup } from './take-backup.ts';
