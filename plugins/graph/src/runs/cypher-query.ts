import { defineRun, kernel, model, openObject, usage } from '@pacioli/core';
import { Type } from 'typebox';
import {
  collectRows,
  isEngineFault,
  maxJsonRows,
  maxStoredBytes,
  noteSlowQuery,
  queryErrors,
  queryFailure,
  unpackParameters,
} from '../cypher/index.ts';
import { queryCounts } from '../health/index.ts';
import { analyticalGraph } from '../tokens.ts';

const rowsPerChunk = 1_000;

/** A statement that its caller did not wait for (graphs Q-44). */
export default defineRun({
  name: 'cypher-query',
  summary: 'Runs one Cypher statement of a caller in the background and keeps its rows for an hour.',
  input: model('QueuedCypherQuery', {
    query: Type.String(),
    parameters: Type.String(),
    timeout_ms: Type.Integer(),
    write_refusal: Type.Optional(Type.String()),
  }),
  output: openObject(),
  services: { analyticalGraph, queryCounts, store: kernel.store, usage },
  errors: queryErrors,
  maxSeconds: 660,
  // A write must not be repeated; a read can be asked again.
  restartable: false,
  maxConcurrent: 2,
  keptSeconds: 3_600,

  async handle({ input, ctx, use }) {
    const { graph, signal } = ctx;
    if (graph === undefined) throw new Error('A query requires a graph, but its run has none.');
    const started = performance.now();
    const elapsedMs = (): number => Math.round(performance.now() - started);
    const timeoutMs = input.timeout_ms;
    const statement = { text: input.query, parameters: unpackParameters(input.parameters) };
    const writes = input.write_refusal === undefined ? 'allowed' : { refusal: input.write_refusal };
    const note = (isFailure: boolean): void => use.queryCounts.note(graph.id, { elapsedMs: elapsedMs(), isFailure });
    try {
      const options = { timeoutMs, maxRows: maxJsonRows, rowsPerChunk, signal, writes } as const;
      const stream = await use.analyticalGraph.query(graph, statement, options);
      const facts = { graphId: graph.id, now: ctx.now, elapsedMs };
      const answer = await collectRows(stream, stream, facts, maxStoredBytes).finally(() => stream.cancel());
      note(false);
      await noteSlowQuery(use, graph.id, statement.text, elapsedMs());
      return answer;
    } catch (error) {
      const failure = queryFailure(error, { timeoutMs, elapsedMs: elapsedMs() });
      note(isEngineFault(failure, signal));
      throw failure;
    }
  },
});
