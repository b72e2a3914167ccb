import { defineOperation, invalidInput, model, nullable, oneOf, ServiceError, type Transaction } from '@pacioli/core';
import { Type } from 'typebox';
import { ingestion } from '../files/index.ts';
import { graphBuilder } from '../tokens.ts';

export default defineOperation({
  name: 'materialize',
  summary: 'Rebuilds the analytical graph from the records and switches to it when it is complete.',
  role: 'member',
  input: model('MaterializeOp', {
    force: Type.Optional(Type.Boolean({ default: false })),
    rebuild: Type.Optional(Type.Boolean({ default: false })),
    dry_run: Type.Optional(Type.Boolean({ default: false })),
    source: Type.Optional(nullable(Type.String())),
    materialize_embeddings: Type.Optional(Type.Boolean({ default: false })),
  }),
  output: model('MaterializeResult', {
    status: oneOf(['success', 'skipped', 'dry_run']),
    graph_id: Type.String(),
    was_stale: Type.Boolean(),
    stale_reason: nullable(Type.String()),
    tables_materialized: Type.Array(Type.String()),
    total_rows: Type.Integer(),
    execution_time_ms: Type.Number(),
    rebuild: Type.Boolean(),
    method: Type.String(),
    message: Type.String(),
  }),
  untypedResult: true,
  openapi: { id: 'materialize', tag: 'graph_operations' },
  runs: 'worker',
  maxSeconds: 3_600,
  restartable: true,
  // Two builds of one graph would race for the swap (graphs M-2). A dry run writes nothing and need not wait.
  exclusive: {
    names: (input) => (input.dry_run === true ? undefined : 'graph'),
    code: 'MATERIALIZATION_IN_PROGRESS',
    message: 'Materialization already in progress for this graph. Wait until it ends, or cancel it.',
  },
  services: { graphBuilder },
  mcp: { tool: 'materialize', hint: 'Brings the analytical graph up to date, so that Cypher sees the latest records.' },
  errors: {
    MATERIALIZATION_IN_PROGRESS: { kind: 'conflict', meaning: 'Another run is building this graph.' },
    REBUILD_REQUIRED: {
      kind: 'conflict',
      meaning: 'Some staged files are in the graph and others are not, so only a rebuild makes it complete.',
    },
    SOURCE_NOT_AVAILABLE: { kind: 'refused', meaning: 'The graph has no such source of rows.' },
    ROWS_REJECTED: {
      kind: 'conflict',
      meaning: 'Some rows have a missing or duplicate key, or refer to a node that does not exist.',
    },
    GRAPH_UNAVAILABLE: { kind: 'unavailable', meaning: 'The graph engine failed; the graph is unchanged.' },
    SUBGRAPH_NOT_MATERIALIZED: { kind: 'forbidden', meaning: 'A subgraph is not built from records.' },
  },
  examples: [{ input: { rebuild: true } }],

  async admit({ input, ctx }) {
    const { graph } = ctx;
    const own = sourceOf(graph);
    const source = input.source ?? own;
    if (source !== 'extensions' && source !== 'staged') throw invalidInput('source is extensions, staged or null.');
    if (graph.parentId !== undefined) {
      throw new ServiceError(
        'forbidden',
        'SUBGRAPH_NOT_MATERIALIZED',
        'A subgraph is written directly and cannot be rebuilt.',
      );
    }
    if (source !== own) {
      const from =
        own === 'staged' ? 'its files: omit source, or use staged' : 'its records: omit source, or use extensions';
      throw new ServiceError('refused', 'SOURCE_NOT_AVAILABLE', `This graph is built from ${from}.`);
    }
    if (own === 'staged' && input.rebuild !== true && input.dry_run !== true) await requireNoPartialIngestion(ctx.tx);
    return { graph_id: graph.id };
  },

  async handle({ input, ctx, use }) {
    const { graph } = ctx;
    if (graph === undefined) throw new Error('materialize requires a graph, but its run has none.');
    const started = ctx.now().getTime();
    const result = await use.graphBuilder.build({
      graph,
      run: ctx.operationId,
      source: sourceOf(graph),
      isForced: input.force === true || input.rebuild === true,
      isDryRun: input.dry_run === true,
      signal: ctx.signal,
      now: ctx.now,
      transaction: ctx.transaction,
      report: ctx.report,
    });
    return {
      ...result,
      tables_materialized: [...result.tables_materialized],
      graph_id: graph.id,
      execution_time_ms: ctx.now().getTime() - started,
      rebuild: input.rebuild === true,
      method: 'direct',
    };
  },
});

const sourceOf = ({ type }: { readonly type: string }): 'extensions' | 'staged' =>
  type === 'generic' ? 'staged' : 'extensions';

/** A pass that adds files to a graph that has some would copy rows twice, so the caller decides (graphs M-5). */
async function requireNoPartialIngestion(tx: Transaction): Promise<void> {
  const { ingested, waiting } = await ingestion(tx);
  if (ingested === 0 || waiting === 0) return;
  const message = `${waiting} staged files are not in the graph, which has ${ingested} others. Pass rebuild=true to build it anew.`;
  throw new ServiceError('conflict', 'REBUILD_REQUIRED', message, { details: { resolution: 'Pass rebuild=true.' } });
}
