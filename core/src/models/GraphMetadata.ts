import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';

export default model('GraphMetadata', {
  graph_name: Type.String(),
  description: Type.Optional(nullable(Type.String())),
  schema_extensions: Type.Optional(Type.Array(Type.String())),
  tags: Type.Optional(Type.Array(Type.String())),
});
