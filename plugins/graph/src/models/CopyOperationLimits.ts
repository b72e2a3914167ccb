import { model } from '@pacioli/core';
import { Type } from 'typebox';

export default model('CopyOperationLimits', {
  max_file_size_gb: Type.Number(),
  timeout_seconds: Type.Integer(),
  concurrent_operations: Type.Integer(),
  max_files_per_operation: Type.Integer(),
  daily_copy_operations: Type.Integer(),
  supported_formats: Type.Array(Type.String()),
});
