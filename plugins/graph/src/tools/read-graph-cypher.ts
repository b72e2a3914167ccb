import { defineTool } from '@pacioli/core';
import {
  queryErrors,
  querySlots,
  reportedTurn,
  runForTool,
  statementArguments,
  statementRows,
} from '../cypher/index.ts';
import { analyticalGraph } from '../tokens.ts';

export default defineTool({
  name: 'read-graph-cypher',
  title: 'Read the graph with Cypher',
  description:
    'Runs one reading Cypher statement on the analytical graph and returns at most 1,000 rows. Learn the labels from ' +
    'get-graph-schema first, and use parameters for values.',
  role: 'viewer',
  effect: 'read',
  // With the wait for its turn under load (ai-surface M-13).
  isLong: true,
  gate: { graphs: ['tenant', 'subgraph', 'repository'] },
  input: statementArguments('ReadGraphCypherArguments'),
  output: statementRows,
  services: { analyticalGraph, slots: querySlots },
  errors: queryErrors,

  handle: ({ input, ctx, use }) =>
    runForTool({ input, ctx, use, ...(ctx.isStreamed ? { turn: reportedTurn(ctx) } : {}) }),
});
