import { model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

export default model('DocumentLimits', {
  current_count: Type.Integer(),
  approaching_limit: Type.Boolean(),
  max_documents: Type.Optional(nullable(Type.Integer())),
});
