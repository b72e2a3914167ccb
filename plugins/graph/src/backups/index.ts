/** Backups: archives of the database of a graph in the file store (graphs 15). */
export { type Manifest, manifestName, writeArchive } from './archive.ts';
export { backupAnswer, fileNameOf, ratio } from './backup-answers.ts';
export { type ReadArchive, readArchive } from './read-archive.ts';
export { type Restored, restoreBackup } from './restore-backup.ts';
export {
  addBackup,
  type Backup,
  backupStats,
  downloadsThisMonth,
  expiredBackups,
  findDownloadable,
  listBackups,
  markExpired,
  noteDownload,
  requireBackupToday,
} from './stored-backups.ts';
export { type BackedUpGraph, type BackupParts, backupErrors, takeBackup } from './take-backup.ts';
