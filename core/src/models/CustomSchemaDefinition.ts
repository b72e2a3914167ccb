import { Type } from 'typebox';
import { model, nullable, openObject } from '../schema/model.ts';

export default model('CustomSchemaDefinition', {
  name: Type.String(),
  version: Type.Optional(Type.String({ default: '1.0.0' })),
  description: Type.Optional(nullable(Type.String())),
  extends: Type.Optional(nullable(Type.String())),
  nodes: Type.Optional(Type.Array(openObject())),
  relationships: Type.Optional(Type.Array(openObject())),
  metadata: Type.Optional(openObject()),
});
