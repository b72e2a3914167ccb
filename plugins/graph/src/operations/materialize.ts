import {
  defineOperation,
  finishedAtOnce,
  graphSchemas,
  invalidInput,
  kernel,
  model,
  nullable,
  oneOf,
  ServiceError,
  subgraphs,
  type Transaction,
} from '@pacioli/core';
import type { StagedTableState } from '@pacioli/core/ports';
import { Type } from 'typebox';
import { ingestion, stagingErrors } from '../files/index.ts';
import { buildErrors } from '../generations/index.ts';
import { buildOrNoteFailure } from '../health/index.ts';
import { graphBuilder } from '../tokens.ts';
import { growthErrors, growthOf, type LimitCheck, requireGrowth } from '../usage/index.ts';

export default defineOperation({
  name: 'materialize',
  summary: 'Rebuilds the analytical graph from its records or staged files and switches to it when it is complete.',
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
  // Two builds of one graph would race for the swap (graphs M-2). A dry run ends before this matters.
  exclusive: {
    names: () => 'graph',
    code: 'MATERIALIZATION_IN_PROGRESS',
    message: 'Materialization already in progress for this graph. Wait until it ends, or cancel it.',
  },
  services: {
    graphBuilder,
    store: kernel.store,
    graphs: kernel.graphs,
    graphStore: kernel.graphStore,
    staging: kernel.stagingStore,
    schemas: graphSchemas,
    subgraphs,
  },
  mcp: {
    hint: 'Brings the analytical graph up to date, so that Cypher sees the latest records.',
    destructive: true,
    confirmation: 'Replaces the analytical graph by one that is built from the latest records.',
    idempotent: true,
    gate: { graphs: ['tenant'], isAdministration: true },
  },
  errors: {
    ...buildErrors,
    REBUILD_REQUIRED: {
      kind: 'conflict',
      meaning: 'Some staged files are in the graph and others are not, so only a rebuild makes it complete.',
    },
    LIMIT_EXCEEDED: growthErrors.LIMIT_EXCEEDED,
    STAGING_UNAVAILABLE: stagingErrors.STAGING_UNAVAILABLE,
    SOURCE_NOT_AVAILABLE: { kind: 'refused', meaning: 'The graph has no such source of rows.' },
    SUBGRAPH_NOT_MATERIALIZED: { kind: 'forbidden', meaning: 'A subgraph is not built from records.' },
  },
  examples: [{ input: { rebuild: true } }],

  // Counting staged rows takes time, so it comes before the transaction of the request.
  async prepare({ input, ctx, use }): Promise<Growth> {
    const { graph } = ctx;
    if (graph.parentId !== undefined) return { check: undefined, tables: [] };
    const isStaged = sourceOf(graph) === 'staged' && (input.source ?? 'staged') === 'staged';
    return growthOf(use, graph, isStaged ? 'staged' : 'extensions');
  },

  async admit({ input, ctx, use, prepared }) {
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
    const { check, tables } = prepared as Growth; // Made by `prepare`.
    if (input.dry_run === true) {
      const record = await use.graphs.find(ctx.tx, graph.id);
      return finishedAtOnce(dryRun(graph.id, { check, tables, staleReason: record?.staleReason ?? null }));
    }
    if (check !== undefined) requireGrowth(check);
    if (own === 'staged' && input.rebuild !== true) await requireNoPartialIngestion(ctx.tx);
    return { graph_id: graph.id };
  },

  async handle({ input, ctx, use }) {
    const { graph } = ctx;
    if (graph === undefined) throw new Error('materialize requires a graph, but its run has none.');
    const started = ctx.now().getTime();
    const result = await buildOrNoteFailure(use, {
      graph,
      run: ctx.operationId,
      source: sourceOf(graph),
      isForced: input.force === true || input.rebuild === true,
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

interface Growth {
  /** Undefined for a subgraph, which is refused. */
  readonly check: LimitCheck | undefined;
  readonly tables: readonly StagedTableState[];
}

/** What a materialization would do: its rows, its references to nodes that are missing, and the limits (graphs M-3). */
function dryRun(
  graphId: string,
  { check, tables, staleReason }: Growth & { readonly staleReason: string | null },
): Record<string, unknown> {
  const filled = tables.filter(({ rows }) => rows > 0);
  return {
    status: 'dry_run',
    graph_id: graphId,
    operation_id: 'dry_run',
    was_stale: staleReason !== null,
    stale_reason: staleReason,
    tables_materialized: [],
    total_rows: filled.reduce((sum, { rows }) => sum + rows, 0),
    execution_time_ms: 0,
    rebuild: false,
    method: 'direct',
    message: 'Nothing was written.',
    limit_check: check,
    tables: filled.map(({ name, rows, dangling }) => ({
      table_name: name,
      row_count: rows,
      dangling: dangling.reduce((sum, { count }) => sum + count, 0),
      dangling_examples: dangling.flatMap(({ examples }) => examples),
    })),
  };
}

const sourceOf = ({ type }: { readonly type: string }): 'extensions' | 'staged' =>
  type === 'generic' ? 'staged' : 'extensions';

/** A pass that adds files to a graph that has some would copy rows twice, so the caller decides (graphs M-5). */
async function requireNoPartialIngestion(tx: Transaction): Promise<void> {
  const { ingested, waiting } = await ingestion(tx);
  if (ingested === 0 || waiting === 0) return;
  const files = waiting === 1 ? 'staged file is' : 'staged files are';
  const others = ingested === 1 ? 'other' : 'others';
  const message = `${waiting} ${files} not in the graph, which has ${ingested} ${others}. Pass rebuild=true to rebuild it.`;
  throw new ServiceError('conflict', 'REBUILD_REQUIRED', message, { details: { resolution: 'Pass rebuild=true.' } });
}
