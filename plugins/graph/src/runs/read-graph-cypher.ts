import { defineRun, model } from '@pacioli/core';
import { Type } from 'typebox';
import { queryErrors, querySlots, reportedTurn, runForTool, statementRows, unpackParameters } from '../cypher/index.ts';
import { analyticalGraph } from '../tokens.ts';

/** A read of an AI client that found the graph busy, and follows it as a task (ai-surface M-20e). */
export default defineRun({
  name: 'read-graph-cypher',
  summary: 'Runs one reading Cypher statement of an AI client in the background and keeps its rows for an hour.',
  input: model('QueuedGraphRead', {
    query: Type.String(),
    /** As `QueuedQuery.parameters`. */
    parameters: Type.String(),
  }),
  output: statementRows,
  services: { analyticalGraph, slots: querySlots },
  errors: queryErrors,
  // The wait for its turn, the statement, and the time to store the rows.
  maxSeconds: 330,
  restartable: true,
  // Two that wait for one busy graph hold up those of others, and leave the worker's other turns free.
  maxConcurrent: 2,
  keptSeconds: 3_600,

  async handle({ input, ctx, use }) {
    const { graph, caller, signal, now } = ctx;
    if (graph === undefined) throw new Error('A read requires a graph, but its run has none.');
    // A report fails when another worker has taken over the run, whose signal then ends the statement.
    const report = (message: string): void => void ctx.report({ message }).catch(() => undefined);
    return runForTool({
      input: { query: input.query, parameters: unpackParameters(input.parameters) },
      ctx: { graph, caller, signal, now },
      use,
      turn: reportedTurn(report),
    });
  },
});
