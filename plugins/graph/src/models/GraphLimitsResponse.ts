import { model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

const backupLimits = model('BackupLimits', {
  max_backup_size_gb: Type.Number(),
  backup_retention_days: Type.Integer(),
  max_backups_per_day: Type.Integer(),
});

const contentLimits = model('ContentLimits', {
  max_rows_per_copy: Type.Integer(),
  max_single_table_rows: Type.Integer(),
  chunk_size_rows: Type.Integer(),
});

const copyOperationLimits = model('CopyOperationLimits', {
  max_file_size_gb: Type.Number(),
  timeout_seconds: Type.Integer(),
  concurrent_operations: Type.Integer(),
  max_files_per_operation: Type.Integer(),
  daily_copy_operations: Type.Integer(),
  supported_formats: Type.Array(Type.String()),
});

const creditLimits = model('CreditLimits', {
  monthly_ai_credits: Type.Integer(),
  current_balance: Type.Integer(),
});

const databaseStorageEntry = model('DatabaseStorageEntry', {
  graph_id: Type.String(),
  is_parent: Type.Optional(Type.Boolean({ default: false })),
  size_mb: Type.Optional(nullable(Type.Number())),
});

const documentLimits = model('DocumentLimits', {
  current_count: Type.Integer(),
  approaching_limit: Type.Boolean(),
  max_documents: Type.Optional(nullable(Type.Integer())),
});

const storageItem = model('StorageItem', {
  type: Type.String(),
  id: Type.String(),
  bytes: Type.Integer(),
});

const instanceUsage = model('InstanceUsage', {
  limit_gb: Type.Number(),
  status: Type.String(),
  node_count: Type.Optional(nullable(Type.Integer())),
  total_storage_gb: Type.Optional(nullable(Type.Number())),
  usage_percentage: Type.Optional(nullable(Type.Number())),
  databases: Type.Optional(Type.Array(databaseStorageEntry)),
  items: Type.Optional(Type.Array(storageItem)),
});

const queryLimits = model('QueryLimits', {
  max_timeout_seconds: Type.Integer(),
  chunk_size: Type.Integer(),
  max_rows_per_query: Type.Integer(),
  concurrent_queries: Type.Integer(),
});

const rateLimits = model('RateLimits', {
  requests_per_minute: Type.Integer(),
  requests_per_hour: Type.Integer(),
  burst_capacity: Type.Integer(),
});

const storageLimits = model('StorageLimits', {
  max_storage_gb: Type.Number(),
  approaching_limit: Type.Boolean(),
  current_usage_gb: Type.Optional(nullable(Type.Number())),
});

const subgraphLimits = model('SubgraphLimits', {
  current_count: Type.Integer(),
  approaching_limit: Type.Boolean(),
  max_allowed: Type.Optional(nullable(Type.Integer())),
  remaining: Type.Optional(nullable(Type.Integer())),
});

export default model('GraphLimitsResponse', {
  graph_id: Type.String(),
  subscription_tier: Type.String(),
  graph_tier: Type.String(),
  is_shared_repository: Type.Boolean(),
  storage: storageLimits,
  queries: queryLimits,
  copy_operations: copyOperationLimits,
  backups: backupLimits,
  rate_limits: rateLimits,
  credits: Type.Optional(nullable(creditLimits)),
  documents: Type.Optional(nullable(documentLimits)),
  subgraphs: Type.Optional(nullable(subgraphLimits)),
  content: Type.Optional(nullable(contentLimits)),
  instance: Type.Optional(nullable(instanceUsage)),
});
