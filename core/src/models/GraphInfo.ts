import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';

export default model('GraphInfo', {
  graphId: Type.String(),
  graphName: Type.String(),
  role: Type.String(),
  isSelected: Type.Boolean(),
  createdAt: Type.String(),
  description: Type.Optional(Type.String({ default: '' })),
  tags: Type.Optional(Type.Array(Type.String())),
  isRepository: Type.Optional(Type.Boolean({ default: false })),
  repositoryType: Type.Optional(nullable(Type.String())),
  schemaExtensions: Type.Optional(Type.Array(Type.String())),
  isSubgraph: Type.Optional(Type.Boolean({ default: false })),
  parentGraphId: Type.Optional(nullable(Type.String())),
  graphType: Type.Optional(Type.String({ default: 'entity' })),
  status: Type.Optional(Type.String({ default: 'active' })),
});
