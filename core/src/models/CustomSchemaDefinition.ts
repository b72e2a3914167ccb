import { Type } from 'typebox';
import { model, nullable, openModel } from '../schema/model.ts';

export const customSchemaDefinitionNodesItem = openModel('CustomSchemaDefinitionNodesItem');

export const customSchemaDefinitionRelationshipsItem = openModel('CustomSchemaDefinitionRelationshipsItem');

export const customSchemaDefinitionMetadata = openModel('CustomSchemaDefinitionMetadata');

export default model('CustomSchemaDefinition', {
  name: Type.String(),
  version: Type.Optional(Type.String({ default: '1.0.0' })),
  description: Type.Optional(nullable(Type.String())),
  extends: Type.Optional(nullable(Type.String())),
  nodes: Type.Optional(Type.Array(customSchemaDefinitionNodesItem)),
  relationships: Type.Optional(Type.Array(customSchemaDefinitionRelationshipsItem)),
  metadata: Type.Optional(customSchemaDefinitionMetadata),
});
