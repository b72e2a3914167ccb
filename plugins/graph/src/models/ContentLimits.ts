import { model } from '@pacioli/core';
import { Type } from 'typebox';

export default model('ContentLimits', {
  max_rows_per_copy: Type.Integer(),
  max_single_table_rows: Type.Integer(),
  chunk_size_rows: Type.Integer(),
});
