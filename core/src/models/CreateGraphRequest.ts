import { Type } from 'typebox';
import { model, nullable, openObject } from '../schema/model.ts';

const customSchemaDefinition = model(
  'CustomSchemaDefinition',
  {
    name: Type.String(),
    version: Type.Optional(Type.String({ default: '1.0.0' })),
    description: Type.Optional(nullable(Type.String())),
    extends: Type.Optional(nullable(Type.String())),
    nodes: Type.Optional(Type.Array(openObject())),
    relationships: Type.Optional(Type.Array(openObject())),
    metadata: Type.Optional(openObject()),
  },
  {
    fields: {
      name: 'The name of the schema.',
      version: 'Its version.',
      description: 'Free text.',
      extends: 'base adds the node and relationship types of every entity graph.',
      nodes: 'Node types: name, properties with name, type and is_primary_key on exactly one, description.',
      relationships: 'Relationship types: name, from_node, to_node, properties, description.',
      metadata: 'Any object of the caller, stored as it is.',
    },
  },
);

const graphMetadata = model(
  'GraphMetadata',
  {
    graph_name: Type.String(),
    description: Type.Optional(nullable(Type.String())),
    schema_extensions: Type.Optional(Type.Array(Type.String())),
    tags: Type.Optional(Type.Array(Type.String())),
  },
  {
    fields: {
      graph_name: 'The name of the graph, 1 to 255 characters; it need not be unique.',
      description: 'Free text.',
      schema_extensions:
        'The extensions of the graph, names of GET /v1/graphs/extensions, such as roboledger for books.',
      tags: 'At most 10 tags of 50 characters, merged with those of the request.',
    },
  },
);

const initialEntityData = model(
  'InitialEntityData',
  {
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
  },
  {
    fields: {
      name: 'The name of the company, 1 to 255 characters.',
      uri: 'A URI that identifies the company, such as that of its website.',
      ticker: '1 to 10 characters; derived from the name if absent.',
      cik: 'The number of the company as a filer at the SEC.',
      sic: 'Its industry by the Standard Industrial Classification.',
      sic_description: 'The industry in words.',
      category: 'The category of the filer.',
      state_of_incorporation: 'The state in which it is incorporated.',
      fiscal_year_end: 'The last day of its fiscal year, MM-DD or MMDD, such as 12-31.',
      ein: 'Its tax number as an employer in the United States.',
      entity_type: 'Its legal form, such as llc or partnership, which decides the layout of statements.',
      reporting_style_id: 'The layout of its statements, instead of that of its legal form.',
    },
  },
);

export default model(
  'CreateGraphRequest',
  {
    metadata: graphMetadata,
    instance_tier: Type.Optional(Type.String({ default: 'ladybug-standard' })),
    custom_schema: Type.Optional(nullable(customSchemaDefinition)),
    initial_entity: Type.Optional(nullable(initialEntityData)),
    create_entity: Type.Optional(Type.Boolean({ default: true })),
    tags: Type.Optional(Type.Array(Type.String())),
  },
  {
    fields: {
      metadata: 'The name and the extensions of the graph.',
      instance_tier: 'The tier, which decides limits and price; GET /v1/graphs/tiers lists them.',
      custom_schema:
        'The node and relationship types of a generic graph, whose rows come from files; instead of initial_entity.',
      initial_entity: 'The company whose graph it is.',
      create_entity: 'False to create the graph without the company.',
      tags: 'Further tags.',
    },
  },
);
