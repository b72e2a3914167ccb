import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';
import customSchemaDefinition from './CustomSchemaDefinition.ts';
import graphMetadata from './GraphMetadata.ts';
import initialEntityData from './InitialEntityData.ts';

export default model('CreateGraphRequest', {
  metadata: graphMetadata,
  instance_tier: Type.Optional(Type.String({ default: 'ladybug-standard' })),
  custom_schema: Type.Optional(nullable(customSchemaDefinition)),
  initial_entity: Type.Optional(nullable(initialEntityData)),
  create_entity: Type.Optional(Type.Boolean({ default: true })),
  tags: Type.Optional(Type.Array(Type.String())),
});
