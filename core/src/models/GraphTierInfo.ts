import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';

const graphTierBackup = model('GraphTierBackup', {
  max_backup_size_gb: Type.Integer(),
  backup_retention_days: Type.Integer(),
  max_backups_per_day: Type.Integer(),
});

const graphTierCopyOperations = model('GraphTierCopyOperations', {
  max_file_size_gb: Type.Number(),
  timeout_seconds: Type.Integer(),
  concurrent_operations: Type.Integer(),
  max_files_per_operation: Type.Integer(),
  daily_copy_operations: Type.Integer(),
});

const graphTierInstance = model('GraphTierInstance', {
  type: Type.String(),
  memory_mb: Type.Integer(),
  is_multitenant: Type.Boolean(),
});

const graphTierLimits = model('GraphTierLimits', {
  monthly_credits: Type.Integer(),
  max_subgraphs: nullable(Type.Integer()),
  copy_operations: graphTierCopyOperations,
  backup: graphTierBackup,
});

export default model('GraphTierInfo', {
  tier: Type.String(),
  name: Type.String(),
  display_name: Type.String(),
  description: Type.String(),
  backend: Type.String(),
  enabled: Type.Boolean(),
  max_subgraphs: nullable(Type.Integer()),
  monthly_credits: Type.Integer(),
  api_rate_multiplier: Type.Number(),
  features: Type.Array(Type.String()),
  instance: graphTierInstance,
  limits: graphTierLimits,
  monthly_price: Type.Optional(nullable(Type.Number())),
});
