import { defineTool, model, oneOf } from '@pacioli/core';
import { Type } from 'typebox';
import { addedRelationship, addTable, addTableErrors, addTableServices, propertyTypes } from '../subgraphs/index.ts';
import { growthErrors, writeLimit } from '../usage/index.ts';

export default defineTool({
  name: 'add-relationship-table',
  title: 'Add a relationship table to a subgraph',
  description:
    'Adds a relationship type between two labels to this subgraph, so that write-graph-cypher can create such ' +
    'relationships. A table is never changed or removed; adding the same one again changes nothing.',
  role: 'member',
  effect: 'write',
  idempotent: true,
  gate: { graphs: ['subgraph'], isAdministration: true },
  input: model(
    'AddRelationshipTableArguments',
    {
      name: Type.String({ pattern: '^[A-Z][A-Z0-9_]{0,63}$', description: 'The type, such as VESSEL_CALLS_AT.' }),
      from: Type.String({ description: 'The label at the start.' }),
      to: Type.String({ description: 'The label at the end.' }),
      properties: Type.Optional(
        Type.Array(
          model('AddedRelationshipProperty', { name: Type.String(), type: oneOf(propertyTypes) }, { closed: true }),
          {
            maxItems: 200,
          },
        ),
      ),
    },
    { closed: true },
  ),
  services: { ...addTableServices, writeLimit },
  errors: { ...addTableErrors, LIMIT_EXCEEDED: growthErrors.LIMIT_EXCEEDED },
  isOn: ({ graphStore }) => graphStore.capabilities.addsTables,

  async handle({ input, ctx, use }) {
    await use.writeLimit.require(ctx.graph);
    return addTable(use, ctx, addedRelationship(input));
  },
});
