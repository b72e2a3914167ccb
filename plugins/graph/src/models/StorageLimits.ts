import { model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

export default model('StorageLimits', {
  max_storage_gb: Type.Number(),
  approaching_limit: Type.Boolean(),
  current_usage_gb: Type.Optional(nullable(Type.Number())),
});
