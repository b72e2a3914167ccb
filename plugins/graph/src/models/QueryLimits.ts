import { model } from '@pacioli/core';
import { Type } from 'typebox';

export default model('QueryLimits', {
  max_timeout_seconds: Type.Integer(),
  chunk_size: Type.Integer(),
  max_rows_per_query: Type.Integer(),
  concurrent_queries: Type.Integer(),
});
