import { Type } from 'typebox';
import { model } from '../schema/model.ts';

export default model('GraphTierCopyOperations', {
  max_file_size_gb: Type.Number(),
  timeout_seconds: Type.Integer(),
  concurrent_operations: Type.Integer(),
  max_files_per_operation: Type.Integer(),
  daily_copy_operations: Type.Integer(),
});
