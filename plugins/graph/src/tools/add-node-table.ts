import { defineTool, invalidInput, model, oneOf } from '@pacioli/core';
import { Type } from 'typebox';
import { addedNode, addTable, addTableErrors, addTableServices, propertyTypes } from '../subgraphs/index.ts';
import { growthErrors, writeLimit } from '../usage/index.ts';

export default defineTool({
  name: 'add-node-table',
  title: 'Add a node table to a subgraph',
  description:
    'Adds a label with its properties to this subgraph, so that write-graph-cypher can create such nodes. A table is ' +
    'never changed or removed; adding the same one again changes nothing.',
  role: 'member',
  effect: 'write',
  idempotent: true,
  gate: { graphs: ['subgraph'], isAdministration: true },
  input: model(
    'AddNodeTableArguments',
    {
      name: Type.String({ pattern: '^[A-Z][A-Za-z0-9_]{0,63}$', description: 'The label, such as Vessel.' }),
      properties: Type.Array(
        model('AddedProperty', { name: Type.String(), type: oneOf(propertyTypes) }, { closed: true }),
        { minItems: 1, maxItems: 200 },
      ),
      primary_key: Type.String({ description: 'The property that identifies a node.' }),
    },
    { closed: true },
  ),
  services: { ...addTableServices, writeLimit },
  errors: { ...addTableErrors, LIMIT_EXCEEDED: growthErrors.LIMIT_EXCEEDED },
  isOn: ({ graphStore }) => graphStore.capabilities.addsTables,

  async handle({ input, ctx, use }) {
    if (!input.properties.some(({ name }) => name === input.primary_key))
      throw invalidInput('primary_key: Name one of the properties.');
    await use.writeLimit.require(ctx.graph);
    return addTable(use, ctx, addedNode(input));
  },
});
