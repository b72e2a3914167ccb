import {
  defineOperation,
  finishedAtOnce,
  graphSchemas,
  invalidInput,
  isRunRepeated,
  kernel,
  model,
  nullable,
  oneOf,
  openObject,
  ServiceError,
  schemaForGraph,
  subgraphs,
  type Transaction,
} from '@pacioli/core';
import { isGraphStoreError } from '@pacioli/core/ports';
import { Type } from 'typebox';
import { config } from '../config.ts';
import subgraphResponse from '../models/SubgraphResponse.ts';
import { planSubgraph, problemOfTables, subgraphAnswer, subgraphErrors } from '../subgraphs/index.ts';
import { analyticalGraph } from '../tokens.ts';

export default defineOperation({
  name: 'create-subgraph',
  summary: 'Creates a database next to a graph that its members may write, empty or as a copy of the graph.',
  openapi: { id: 'create_subgraph', tag: 'graph_operations' },
  mcp: {
    hint: 'Creates a scratch database next to this graph, empty or as a copy, where raw Cypher may write.',
    gate: { graphs: ['tenant'], isAdministration: true },
  },
  category: 'graph_management',
  role: 'member',
  runs: 'worker',
  acceptedStatus: 200,
  maxSeconds: 900,
  restartable: true,
  dedupe: false,
  // Subgraphs are kernel rows of another graph id.
  acceptedIn: 'kernel',
  input: model(
    'CreateSubgraphRequest',
    {
      name: Type.String(),
      display_name: Type.String(),
      description: Type.Optional(nullable(Type.String())),
      schema_extensions: Type.Optional(Type.Array(Type.String())),
      subgraph_type: Type.Optional(oneOf(['empty', 'knowledge', 'static'])),
      metadata: Type.Optional(nullable(openObject())),
      fork_parent: Type.Optional(Type.Boolean({ default: false })),
    },
    {
      fields: {
        name: 'The last part of its id: 1 to 20 letters and digits, kept in lower case.',
        display_name: 'Its name in lists, 1 to 100 characters.',
        description: 'Free text, at most 500 characters.',
        schema_extensions: 'The extensions whose types it has; by default those of the graph.',
        subgraph_type: 'static has the types of the graph, knowledge those of concepts and observations, empty none.',
        metadata: 'Any object; fork_options.tables limits a copy to these tables.',
        fork_parent: 'True to copy the analytical graph as it was last materialized.',
      },
    },
  ),
  output: subgraphResponse,
  services: {
    subgraphs,
    schemas: graphSchemas,
    domains: kernel.domains,
    deployment: kernel.analyticalSchema,
    store: kernel.store,
    graphStore: kernel.graphStore,
    analyticalGraph,
    config: config.token,
  },
  errors: {
    ...subgraphErrors,
    SUBGRAPH_REMOVED: { kind: 'conflict', meaning: 'The subgraph was removed before its copy was complete.' },
    GRAPH_UNAVAILABLE: {
      kind: 'unavailable',
      meaning: 'The graph engine could not copy the graph; nothing was created.',
    },
  },
  examples: [{ input: { name: 'whatif', display_name: 'What if' } }],

  async admit({ input, ctx, use }) {
    const { graph, tx } = ctx;
    if (graph.parentId !== undefined)
      throw new ServiceError('refused', 'SUBGRAPH_NESTED', 'Subgraphs cannot be nested.');
    if (!use.config.subgraphCreation)
      throw new ServiceError('forbidden', 'SUBGRAPHS_OFF', 'This deployment does not allow new subgraphs.');
    const schema = await use.schemas.of(tx, graph);
    const planned = planSubgraph(input, {
      graph,
      declared: await use.schemas.declared(tx, graph.id),
      resolve: (wireName) => use.domains.resolve(wireName),
      typesOf: (domains) => schemaForGraph(use.deployment, domains),
    });
    if (!planned.ok) throw invalidInput(`${planned.field}: ${planned.message}.`);
    const { definition, subgraph, isFork, tables } = planned.plan;
    const problem = tables === undefined ? undefined : problemOfTables(tables, schema);
    if (problem !== undefined) throw invalidInput(`metadata: ${problem}.`);
    const made = await use.subgraphs.register(tx, subgraph, { caller: ctx.caller, now: ctx.now() });
    if (definition !== undefined) await use.schemas.declare(tx, made.graphId, definition, ctx.now());
    const answer = subgraphAnswer(made);
    return isFork ? { ...answer, tables: tables ?? null } : finishedAtOnce(answer);
  },

  async handle({ ctx, use }) {
    const { graph } = ctx;
    const { graph_id: graphId, subgraph_name: name, tables } = acceptedBy(ctx.accepted);
    if (graph === undefined) throw new Error('create-subgraph requires a graph, but its run has none.');
    const inKernel = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => use.store.transaction('kernel', work);
    // Each attempt copies into a database of its own, so that one that lost its worker cannot disturb the next.
    const ref = { graphId, generation: await inKernel((tx) => use.subgraphs.nextGeneration(tx)) };
    if (!(await inKernel((tx) => use.subgraphs.startCopy(tx, graphId, ref.generation)))) throw removed();
    try {
      // Those of earlier attempts, whose processes were killed. Numbers rise, so a higher one is of a later attempt.
      for (const generation of await use.graphStore.generations(graphId))
        if (generation < ref.generation) await use.graphStore.drop({ graphId, generation });
      await ctx.report({ message: 'Copying the graph', percent: 20 });
      const from = await use.analyticalGraph.active(graph);
      const stats = await use.graphStore.copy(from, ref, {
        ...(tables === null ? {} : { tables }),
        signal: ctx.signal,
      });
      await ctx.report({ message: 'The copy is complete', percent: 90 });
      const made = await inKernel(async (tx) => {
        const isMine = await use.subgraphs.activate(tx, graphId, { generation: ref.generation, now: ctx.now() });
        return isMine ? use.subgraphs.find(tx, graph.id, name) : undefined;
      });
      if (made === undefined) throw removed();
      return subgraphAnswer(made, { stats });
    } catch (error) {
      await use.graphStore.drop(ref);
      // Also after the run was canceled, so not in a transaction of the run (graphs SG-8).
      const attempt = { generation: ref.generation, operationId: ctx.operationId, attempt: ctx.attempt };
      if (!isRunRepeated(ctx.signal)) await inKernel((tx) => use.subgraphs.abandon(tx, graphId, attempt));
      throw isGraphStoreError(error)
        ? new ServiceError('unavailable', 'GRAPH_UNAVAILABLE', `The graph was not copied. ${error.message}`, {
            cause: error,
          })
        : error;
    }
  },
});

function removed(): ServiceError {
  return new ServiceError('conflict', 'SUBGRAPH_REMOVED', 'The subgraph was removed before its copy was complete.');
}

/** Restores the type of the value that `admit` stored as JSON. */
function acceptedBy(accepted: Readonly<Record<string, unknown>> | null): Accepted {
  return accepted as unknown as Accepted;
}

interface Accepted {
  readonly graph_id: string;
  readonly subgraph_name: string;
  readonly tables: readonly string[] | null;
}
