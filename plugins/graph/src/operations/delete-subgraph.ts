import {
  defineOperation,
  eventPublisher,
  finishedAtOnce,
  graphAccess,
  graphSchemas,
  kernel,
  model,
  notFound,
  nullable,
  ServiceError,
  type Subgraph,
  subgraphs,
} from '@pacioli/core';
import { type GraphStore, isGraphStoreError } from '@pacioli/core/ports';
import { Type } from 'typebox';
import { addBackup, backupErrors, finalRetentionDays, takeBackup } from '../backups/index.ts';
import subgraphDeleted from '../events/subgraph-deleted.ts';
import { type AnalyticalGraph, analyticalGraph, type GraphFacts } from '../tokens.ts';

export default defineOperation({
  name: 'delete-subgraph',
  summary: 'Deletes a subgraph with all its content, by default after a backup that is kept for 90 days.',
  openapi: { id: 'delete_subgraph', tag: 'graph_operations' },
  category: 'graph_management',
  role: 'admin',
  runs: 'worker',
  acceptedStatus: 200,
  maxSeconds: 900,
  restartable: true,
  dedupe: false,
  acceptedIn: 'kernel',
  input: model(
    'DeleteSubgraphOp',
    {
      subgraph_name: Type.String(),
      force: Type.Optional(Type.Boolean({ default: false })),
      backup_first: Type.Optional(Type.Boolean({ default: true })),
    },
    {
      fields: {
        subgraph_name: 'The name of the subgraph, the last part of its id.',
        force: 'True to delete it although it has content.',
        backup_first: 'False to delete it without a backup; it is gone for good then.',
      },
    },
  ),
  output: model('DeleteSubgraphResult', {
    graph_id: Type.String(),
    status: Type.String(),
    backup_location: nullable(Type.String()),
    backup_id: nullable(Type.String()),
  }),
  untypedResult: true,
  services: {
    subgraphs,
    graphAccess,
    events: eventPublisher,
    store: kernel.store,
    graphStore: kernel.graphStore,
    files: kernel.fileStore,
    ids: kernel.ids,
    clock: kernel.clock,
    schemas: graphSchemas,
    analytical: analyticalGraph,
  },
  errors: {
    ...backupErrors,
    SUBGRAPH_NESTED: { kind: 'refused', meaning: 'The id is that of a subgraph; it is deleted through its parent.' },
    SUBGRAPH_NOT_EMPTY: { kind: 'conflict', meaning: 'The subgraph has content, and force is not set.' },
  },

  // Counting and copying a database take time, so they come before the transaction that removes the rows.
  async prepare({ input, ctx, use }): Promise<Prepared> {
    const { graph } = ctx;
    if (graph.parentId !== undefined) {
      throw new ServiceError('refused', 'SUBGRAPH_NESTED', `Delete a subgraph through its parent, ${graph.parentId}.`);
    }
    const find = use.store.transaction('kernel', (tx) => use.subgraphs.find(tx, graph.id, input.subgraph_name), {
      readOnly: true,
    });
    const subgraph = await find;
    if (subgraph?.status !== 'active') throw notFound('The graph has no subgraph of this name.');
    const of = {
      id: subgraph.graphId,
      parentId: graph.id,
      type: graph.type,
      tier: graph.tier,
      extensions: graph.extensions,
    };
    const hasDatabase = await use.graphStore.exists({ graphId: subgraph.graphId, generation: subgraph.generation });
    if (!hasDatabase) return { subgraph, backup: null };
    if (input.force !== true && !(await isEmpty(use, of))) {
      const message = `Subgraph ${subgraph.graphId} contains data. Use force=true to delete it.`;
      throw new ServiceError('conflict', 'SUBGRAPH_NOT_EMPTY', message);
    }
    if (input.backup_first === false) return { subgraph, backup: null };
    const backupId = use.ids.make('bk');
    const extension = use.graphStore.capabilities.snapshotExtension;
    const facts = {
      id: backupId,
      graphId: graph.id,
      ofGraphId: subgraph.graphId,
      initiatedBy: 'final',
      extension,
    } as const;
    await use.store.transaction({ graphId: graph.id }, (tx) =>
      addBackup(tx, { ...facts, retentionDays: finalRetentionDays, now: ctx.now() }),
    );
    const { key } = await takeBackup(use, { graphId: graph.id, backupId, of, signal: ctx.signal });
    return { subgraph, backup: { id: backupId, key } };
  },

  async admit({ ctx, use, prepared }) {
    const { subgraph, backup } = prepared as Prepared; // Made by `prepare`.
    await use.subgraphs.remove(ctx.tx, subgraph.graphId);
    const { graphId, parentId, generation } = subgraph;
    const payload = { graph_id: graphId, parent_graph_id: parentId, generation };
    await use.events.publish(ctx.tx, subgraphDeleted, payload);
    use.graphAccess.forgetGraph(subgraph.graphId);
    return finishedAtOnce({
      graph_id: subgraph.graphId,
      status: 'deleted',
      backup_location: backup?.key ?? null,
      backup_id: backup?.id ?? null,
    });
  },

  async handle(): Promise<never> {
    throw new Error('delete-subgraph ends when it is accepted.');
  },
});

interface Prepared {
  readonly subgraph: Subgraph;
  readonly backup: { readonly id: string; readonly key: string } | null;
}

/** A subgraph whose rows cannot be counted is treated as one with content (graphs SG-13). */
async function isEmpty(
  use: { readonly analytical: AnalyticalGraph; readonly graphStore: GraphStore },
  of: GraphFacts,
): Promise<boolean> {
  try {
    const { nodes } = await use.graphStore.stats(await use.analytical.active(of));
    return Object.values(nodes).every((count) => count === 0);
  } catch (error) {
    if (isGraphStoreError(error)) return false;
    throw error;
  }
}
