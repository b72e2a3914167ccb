import { defineTool } from '@pacioli/core';
import {
  isBusy,
  noWait,
  packParameters,
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
  mayStartRun: true,
  gate: { graphs: ['tenant', 'subgraph', 'repository'] },
  input: statementArguments('ReadGraphCypherArguments'),
  output: statementRows,
  services: { analyticalGraph, slots: querySlots },
  errors: queryErrors,

  async handle({ input, ctx, use }) {
    const { startRun, isStreamed, report } = ctx;
    if (startRun === undefined)
      return runForTool({ input, ctx, use, ...(isStreamed ? { turn: reportedTurn(report) } : {}) });
    try {
      return await runForTool({ input, ctx, use, turn: noWait });
    } catch (error) {
      if (!isBusy(error)) throw error;
      return startRun({ query: input.query, parameters: packParameters(input.parameters ?? {}) });
    }
  },
});
