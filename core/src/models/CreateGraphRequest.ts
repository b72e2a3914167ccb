import { Type } from 'typebox';
import { model, nullable, openObject } from '../schema/model.ts';

const customSchemaDefinition = model('CustomSchemaDefinition', {
  name: Type.String(),
  version: Type.Optional(Type.String({ default: '1.0.0' })),
  description: Type.Optional(nullable(Type.String())),
  extends: Type.Optional(nullable(Type.String())),
  nodes: Type.Optional(Type.Array(openObject())),
  relationships: Type.Optional(Type.Array(openObject())),
  metadata: Type.Optional(openObject()),
});

const graphMetadata = model('GraphMetadata', {
  graph_name: Type.String(),
  description: Type.Optional(nullable(Type.String())),
  schema_extensions: Type.Optional(Type.Array(Type.String())),
  tags: Type.Optional(Type.Array(Type.String())),
});

const initialEntityData = model('InitialEntityData', {
  name: Type.String(),
  uri: Type.String(),
  ticker: Type.Optional(nullable(Type.String())),
  cik: Type.Optional(nullable(Type.String())),
  sic: Type.Optional(nullable(Type.String())),
  sic_description: Type.Optional(nullable(Type.String())),
  category: Type.Optional(nullable(Type.String())),
  state_of_incorporation: Type.Optional(nullable(Type.String())),
  fiscal_year_end: Type.Optional(nullable(Type.String())),
  ein: Type.Optional(nullable(Type.String())),
  entity_type: Type.Optional(nullable(Type.String())),
  reporting_style_id: Type.Optional(nullable(Type.String())),
});

export default model('CreateGraphRequest', {
  metadata: graphMetadata,
  instance_tier: Type.Optional(Type.String({ default: 'ladybug-standard' })),
  custom_schema: Type.Optional(nullable(customSchemaDefinition)),
  initial_entity: Type.Optional(nullable(initialEntityData)),
  create_entity: Type.Optional(Type.Boolean({ default: true })),
  tags: Type.Optional(Type.Array(Type.String())),
});
