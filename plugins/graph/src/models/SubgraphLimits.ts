import { model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

export default model('SubgraphLimits', {
  current_count: Type.Integer(),
  approaching_limit: Type.Boolean(),
  max_allowed: Type.Optional(nullable(Type.Integer())),
  remaining: Type.Optional(nullable(Type.Integer())),
});
