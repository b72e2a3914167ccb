import { defineJob, kernel } from '@pacioli/core';
import subgraphDeleted from '../events/subgraph-deleted.ts';
import { forgetAccess } from '../health/index.ts';

export default defineJob({
  name: 'drop-subgraph-database',
  summary: 'Removes the database of a deleted subgraph, which is out of reach since its deletion.',
  on: subgraphDeleted,
  maxSeconds: 120,
  services: { graphStore: kernel.graphStore },
  async handle({ payload, ctx, use }) {
    await use.graphStore.drop({ graphId: payload.graph_id, generation: payload.generation });
    await ctx.store.transaction('kernel', (tx) => forgetAccess(tx, payload.graph_id));
  },
});
