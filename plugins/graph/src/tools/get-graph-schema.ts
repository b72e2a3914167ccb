import { defineTool, model } from '@pacioli/core';
import { Type } from 'typebox';
import { queryErrors } from '../cypher/index.ts';
import { schemaOf } from '../schema/index.ts';
import { analyticalGraph } from '../tokens.ts';

export default defineTool({
  name: 'get-graph-schema',
  title: 'Get the schema of the graph',
  description: 'The labels, properties and relationships of the analytical graph. Read it before you write Cypher.',
  role: 'viewer',
  effect: 'read',
  gate: { graphs: ['tenant', 'subgraph', 'repository'] },
  input: model(
    'GetGraphSchemaArguments',
    { refresh: Type.Optional(Type.Boolean({ default: false, description: 'The schema is always current.' })) },
    { closed: true },
  ),
  services: { analyticalGraph },
  errors: queryErrors,

  handle: async ({ ctx, use }) => schemaOf(await use.analyticalGraph.catalog(ctx.graph)),
});
