import { defineJob, kernel, usage } from '@pacioli/core';

const hourMs = 3_600_000;
const graphsPerTransaction = 500;

export default defineJob({
  name: 'measure-storage',
  summary: 'Records the disk usage of every graph once an hour.',
  everySeconds: 3600,
  maxSeconds: 300,
  services: { graphStore: kernel.graphStore, graphs: kernel.graphs, usage },
  async handle({ ctx, use }) {
    const hour = Math.floor(ctx.now().getTime() / hourMs);
    const totals = new Map<string, number>();
    for (const { graphId, size_bytes } of await use.graphStore.sizes()) {
      totals.set(graphId, (totals.get(graphId) ?? 0) + size_bytes);
    }
    const measured = [...totals];
    for (let from = 0; from < measured.length && !ctx.signal.aborted; from += graphsPerTransaction) {
      await ctx.store.transaction('kernel', async (tx) => {
        for (const [graphId, bytes] of measured.slice(from, from + graphsPerTransaction)) {
          // Files of deleted graphs are not charged to anyone.
          const graph = await use.graphs.find(tx, graphId);
          if (graph === undefined) continue;
          const id = `storage_${graphId}_${hour}`;
          await use.usage.record(tx, { id, graphId, type: 'storage_snapshot', amount: bytes });
        }
      });
    }
  },
});
