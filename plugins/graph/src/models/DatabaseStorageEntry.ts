import { model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

export default model('DatabaseStorageEntry', {
  graph_id: Type.String(),
  is_parent: Type.Optional(Type.Boolean({ default: false })),
  size_mb: Type.Optional(nullable(Type.Number())),
});
