import { model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

export default model('BackupResponse', {
  backup_id: Type.String(),
  graph_id: Type.String(),
  backup_format: Type.String(),
  backup_type: Type.String(),
  status: Type.String(),
  original_size_bytes: Type.Integer(),
  compressed_size_bytes: Type.Integer(),
  compression_ratio: Type.Number(),
  node_count: Type.Integer(),
  relationship_count: Type.Integer(),
  backup_duration_seconds: Type.Number(),
  compression_enabled: Type.Boolean(),
  created_at: Type.String(),
  completed_at: nullable(Type.String()),
  expires_at: nullable(Type.String()),
  initiated_by: Type.Optional(Type.String({ default: 'user' })),
  memory_included: Type.Optional(nullable(Type.Boolean())),
  download_extension: Type.Optional(nullable(Type.String())),
});
