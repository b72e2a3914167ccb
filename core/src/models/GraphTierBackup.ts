import { Type } from 'typebox';
import { model } from '../schema/model.ts';

export default model('GraphTierBackup', {
  max_backup_size_gb: Type.Integer(),
  backup_retention_days: Type.Integer(),
  max_backups_per_day: Type.Integer(),
});
