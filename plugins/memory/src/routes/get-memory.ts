import { defineRoute, graphOf, kernel } from '@pacioli/core';
import { memoryErrors, memoryView } from '../memories/index.ts';
import memoryRecord from '../models/MemoryRecord.ts';
import { memoryParts } from '../providers.ts';

export default defineRoute({
  name: 'get-memory',
  path: 'GET /v1/graphs/{graph_id}/memory/{memory_id}',
  summary: 'One memory of the graph.',
  openapi: { id: 'get_memory', tag: 'memory' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  answers: { 200: memoryRecord },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { store: kernel.store, memoryParts },
  errors: { MEMORY_OFF: memoryErrors.MEMORY_OFF },
  async handle({ params, ctx, use }) {
    const graph = graphOf(ctx);
    const { graphMemories } = use.memoryParts;
    graphMemories.requireOpen(graph, 'read');
    const found = await use.store.transaction(
      { graphId: graph.id },
      (tx) => graphMemories.require(tx, params.memory_id),
      { readOnly: true },
    );
    return memoryView(found);
  },
});
