import { model } from '@pacioli/core';
import { Type } from 'typebox';

export default model('BackupLimits', {
  max_backup_size_gb: Type.Number(),
  backup_retention_days: Type.Integer(),
  max_backups_per_day: Type.Integer(),
});
