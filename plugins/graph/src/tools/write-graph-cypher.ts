import { defineTool } from '@pacioli/core';
import { queryErrors, querySlots, runForTool, statementArguments, statementRows } from '../cypher/index.ts';
import { analyticalGraph } from '../tokens.ts';
import { growthErrors, writeLimit } from '../usage/index.ts';

export default defineTool({
  name: 'write-graph-cypher',
  title: 'Write a subgraph with Cypher',
  description:
    'Runs one Cypher statement that may create, change and delete nodes and relationships of this subgraph. It cannot ' +
    'change the schema, and nothing undoes it.',
  role: 'member',
  effect: 'destructive',
  confirmation: 'Changes or deletes content of the subgraph with this statement.',
  gate: { graphs: ['subgraph'], isAdministration: true },
  input: statementArguments('WriteGraphCypherArguments'),
  output: statementRows,
  services: { analyticalGraph, slots: querySlots, writeLimit },
  errors: { ...queryErrors, LIMIT_EXCEEDED: growthErrors.LIMIT_EXCEEDED },

  async handle({ input, ctx, use }) {
    await use.writeLimit.require(ctx.graph);
    return runForTool({ input, ctx, use, writes: 'allowed' });
  },
});
