import {
  defineOperation,
  eventPublisher,
  finishedAtOnce,
  type Graph,
  graphAccess,
  graphSchemas,
  kernel,
  model,
  notFound,
  nullable,
  ServiceError,
  type Subgraph,
  subgraphs,
  type Transaction,
} from '@pacioli/core';
import { type GenerationRef, type GraphStore, isGraphStoreError } from '@pacioli/core/ports';
import { Type } from 'typebox';
import { backUpGraph, backupErrors, failFinalBackups, finalRetentionDays, moveBackups } from '../backups/index.ts';
import subgraphDeleted from '../events/subgraph-deleted.ts';
import { rowCount } from '../row-count.ts';
import { runningStatements, subgraphChanged, whileHidden } from '../subgraphs/index.ts';
import { analyticalGraph } from '../tokens.ts';

export default defineOperation({
  name: 'delete-subgraph',
  summary: 'Deletes a subgraph with all its content, by default after a backup that is kept for 90 days.',
  openapi: { id: 'delete_subgraph', tag: 'graph_operations' },
  mcp: {
    hint: 'Deletes a subgraph that is no longer needed, by default after a backup.',
    destructive: true,
    idempotent: true,
    confirmation: 'Deletes the subgraph with all its content.',
    gate: { graphs: ['tenant'], isAdministration: true },
  },
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
    running: runningStatements,
  },
  errors: {
    ...backupErrors,
    SUBGRAPH_NESTED: { kind: 'refused', meaning: 'The id is that of a subgraph; it is deleted through its parent.' },
    SUBGRAPH_CHANGED: { kind: 'conflict', meaning: 'Another request deletes or has replaced the subgraph.' },
    SUBGRAPH_NOT_EMPTY: { kind: 'conflict', meaning: 'The subgraph has content, and force is not set.' },
  },

  // Counting and copying a database take time, so they come before the transaction that removes the rows.
  async prepare({ input, ctx, use }): Promise<Prepared> {
    const { graph } = ctx;
    if (graph.parentId !== undefined) {
      throw new ServiceError('refused', 'SUBGRAPH_NESTED', `Delete a subgraph through its parent, ${graph.parentId}.`);
    }
    const subgraph = await use.store.transaction('kernel', (tx) =>
      use.subgraphs.find(tx, graph.id, input.subgraph_name),
    );
    if (subgraph?.status !== 'active' && subgraph?.status !== 'deleting')
      throw notFound('The graph has no subgraph of this name.');
    try {
      // A deletion whose process was lost has left a backup in progress, which would stay so forever.
      const endBackup = (tx: Transaction, now: Date) => failFinalBackups(tx, [subgraph.graphId], now);
      const { result: backup, at } = await whileHidden(use, subgraph, endBackup, async () => {
        use.graphAccess.forgetGraph(subgraph.graphId);
        // From here on nothing can write to it, so that the backup has all that is removed.
        await use.running.ended(subgraph.graphId);
        return backUp(use, { ...input, graph, subgraph, signal: ctx.signal });
      });
      return { subgraph, backup, at };
    } finally {
      use.graphAccess.forgetGraph(subgraph.graphId);
    }
  },

  async admit({ ctx, use, prepared }) {
    const { subgraph, backup, at } = prepared as Prepared; // Made by `prepare`.
    if (!(await use.subgraphs.completeDeletion(ctx.tx, subgraph, at))) throw subgraphChanged();
    const { graphId, parentId, generation } = subgraph;
    await moveBackups(ctx.tx, { from: graphId, to: parentId, now: ctx.now() });
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
  /** Names the deletion. */
  readonly at: Date;
}

interface Deletion {
  readonly force?: boolean;
  readonly backup_first?: boolean;
  readonly graph: Graph;
  readonly subgraph: Subgraph;
  readonly signal: AbortSignal;
}

/** Takes the last backup; null if there is nothing to back up, or none is wanted. Throws 409 for unwanted content. */
async function backUp(
  use: Parameters<typeof backUpGraph>[0],
  { force, backup_first: isWanted, graph, subgraph, signal }: Deletion,
): Promise<Prepared['backup']> {
  const { graphId, generation, extensions } = subgraph;
  const database = { graphId, generation };
  if (!(await use.graphStore.exists(database))) return null;
  if (force !== true && !(await isEmpty(use.graphStore, database))) {
    const message = `Subgraph ${graphId} contains data. Use force=true to delete it.`;
    throw new ServiceError('conflict', 'SUBGRAPH_NOT_EMPTY', message);
  }
  if (isWanted === false) return null;
  return backUpGraph(use, {
    listedUnder: graph.id,
    of: { id: graphId, parentId: graph.id, type: graph.type, tier: graph.tier, extensions },
    database,
    initiatedBy: 'final',
    retentionDays: finalRetentionDays,
    signal,
  });
}

/** A subgraph whose rows cannot be counted is treated as one with content (graphs SG-13). */
async function isEmpty(graphStore: GraphStore, database: GenerationRef): Promise<boolean> {
  try {
    return rowCount((await graphStore.stats(database)).nodes) === 0;
  } catch (error) {
    if (isGraphStoreError(error)) return false;
    throw error;
  }
}
