import { defineRoute, graphOf, kernel, model, nullable, pageOf } from '@pacioli/core';
import { Type } from 'typebox';
import { maxMemories, memoryErrors, memoryView } from '../memories/index.ts';
import memoryRecord from '../models/MemoryRecord.ts';
import { memoryParts } from '../providers.ts';

const page = { defaultLimit: 100, maxLimit: 500 };

export default defineRoute({
  name: 'list-memories',
  path: 'GET /v1/graphs/{graph_id}/memory',
  summary: 'The memories of the graph, newest first.',
  openapi: { id: 'list_memories', tag: 'memory' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  query: model(
    'MemoryListQuery',
    {
      memory_type: Type.Optional(nullable(Type.String())),
      source: Type.Optional(nullable(Type.String())),
      limit: Type.Optional(Type.Integer({ default: page.defaultLimit })),
      offset: Type.Optional(Type.Integer({ default: 0 })),
    },
    {
      fields: {
        memory_type: 'Only memories of exactly this type.',
        source: 'Only memories of exactly this source.',
        limit: '1 to 500.',
      },
    },
  ),
  answers: {
    200: model('MemoryListResponse', {
      total: Type.Integer(),
      memories: Type.Array(memoryRecord),
      graph_id: Type.String(),
    }),
  },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { store: kernel.store, memoryParts },
  errors: {
    MEMORY_OFF: memoryErrors.MEMORY_OFF,
    INVALID_PAGINATION: { kind: 'invalid_input', meaning: 'limit or offset is out of its range.' },
  },
  async handle({ query, ctx, use }) {
    const graph = graphOf(ctx);
    const { graphMemories, stored } = use.memoryParts;
    graphMemories.requireOpen(graph, 'read');
    const filter = { memoryType: query.memory_type ?? undefined, source: query.source ?? undefined };
    const { limit, offset } = pageOf(query, page);
    const rows = { limit, offset: Math.min(offset, maxMemories) };
    const found = await use.store.transaction(
      { graphId: graph.id },
      async (tx) => ({ total: await stored.count(tx, filter), memories: await stored.list(tx, filter, rows) }),
      { readOnly: true },
    );
    return { total: found.total, memories: found.memories.map(memoryView), graph_id: graph.id };
  },
});
