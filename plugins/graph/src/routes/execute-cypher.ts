import {
  anything,
  defineRoute,
  type Graph,
  graphOf,
  kernel,
  model,
  nullable,
  oneOf,
  openObject,
  operationRuns,
  tierNumbers,
  usage,
} from '@pacioli/core';
import { Type } from 'typebox';
import {
  answerForm,
  answerStatement,
  changesRows,
  checkedStatement,
  isEngineFault,
  noteSlowQuery,
  queryErrors,
  querySlots,
  queueStatement,
} from '../cypher/index.ts';
import { queryCounts } from '../health/index.ts';
import { analyticalGraph } from '../tokens.ts';
import { growthErrors, writeLimit } from '../usage/index.ts';

export default defineRoute({
  name: 'execute-cypher',
  path: 'POST /v1/graphs/{graph_id}/query/cypher',
  summary: 'Runs one Cypher statement; only subgraphs accept writes.',
  openapi: { id: 'execute_cypher', tag: 'query' },
  category: 'graph_query',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  effect: 'read',
  query: model('CypherQuery', {
    mode: Type.Optional(nullable(oneOf(['async', 'auto', 'stream', 'sync']))),
    chunk_size: Type.Optional(nullable(Type.Integer({ minimum: 10, maximum: 10_000 }))),
    test_mode: Type.Optional(Type.Boolean({ default: false })),
  }),
  exactIntegers: true,
  body: model(
    'CypherStatementRequest',
    {
      query: Type.String(),
      parameters: Type.Optional(nullable(openObject())),
      timeout: Type.Optional(nullable(Type.Integer({ default: 60 }))),
    },
    { closed: true },
  ),
  answers: { 200: anything(), 202: null },
  fails: [400, 401, 403, 404, 422, 429, 500],
  failsPlain: [408, 503],
  validationErrors: 'list',
  services: {
    analyticalGraph,
    store: kernel.store,
    usage,
    queryCounts,
    slots: querySlots,
    writeLimit,
    runs: operationRuns,
  },
  errors: { ...queryErrors, LIMIT_EXCEEDED: growthErrors.LIMIT_EXCEEDED },

  async handle({ query, body, ctx, use }) {
    const graph = graphOf(ctx);
    const statement = { ...checkedStatement(body), writes: writesOf(graph) };
    const isWrite = changesRows(statement.text);
    const form = answerForm({
      mode: query.mode ?? 'auto',
      isWrite,
      isTest: query.test_mode === true,
      userAgent: ctx.userAgent,
      accept: ctx.header('accept') ?? '',
      prefer: ctx.header('prefer') ?? '',
      chunk_size: query.chunk_size ?? undefined,
      tier: tierNumbers(graph.tier).query,
    });
    if (graph.parentId !== undefined && isWrite) await use.writeLimit.require(graph);
    if (form.kind === 'queue') {
      const timeoutMs = Math.min(statement.timeoutMs, form.maxTimeoutMs);
      const { maxRows } = form;
      const release = use.slots.take(ctx.caller.userId);
      try {
        await use.analyticalGraph.check(graph, statement, { maxRows, writes: statement.writes, signal: ctx.signal });
        return await queueStatement(use.runs, graph, { ...statement, timeoutMs }, ctx);
      } finally {
        release();
      }
    }
    const started = performance.now();
    const note = (isFailure: boolean): void =>
      use.queryCounts.note(graph.id, { elapsedMs: performance.now() - started, isFailure });
    const release = use.slots.take(ctx.caller.userId);
    try {
      const given = await answerStatement(use.analyticalGraph, graph, statement, form, { ...ctx, release });
      note(false);
      await noteSlowQuery(use, graph.id, statement.text, performance.now() - started);
      return given;
    } catch (error) {
      release();
      note(isEngineFault(error, ctx.signal));
      throw error;
    }
  },
});

/** Members write to subgraphs; why this caller may not, otherwise (graphs Q-17, G-42). */
function writesOf(graph: Graph): 'allowed' | { readonly refusal: string } {
  if (graph.role === 'viewer') {
    return { refusal: "Write operations require the 'member' or 'admin' role on the parent graph." };
  }
  if (graph.writeBlock === undefined) return 'allowed';
  return { refusal: `Writes are blocked by the subscription of this graph, which is ${graph.writeBlock}.` };
}
