import { model } from '@pacioli/core';
import { Type } from 'typebox';

export default model('StorageSummary', {
  graph_tier: Type.String(),
  avg_storage_gb: Type.Number(),
  max_storage_gb: Type.Number(),
  min_storage_gb: Type.Number(),
  measurement_count: Type.Integer(),
});
