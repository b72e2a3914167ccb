import { defineRoute, graphOf, model, nullable, searchResponse, type TypeOf } from '@pacioli/core';
import { Type } from 'typebox';
import { memoryErrors } from '../memories/index.ts';
import { memoryParts } from '../providers.ts';
import type { RecalledMemory } from '../tokens.ts';

const defaultHits = 10;

export default defineRoute({
  name: 'recall-memory',
  path: 'POST /v1/graphs/{graph_id}/memory/recall',
  summary: 'The memories of the graph that are nearest to a query by meaning, best first.',
  openapi: { id: 'recall_memory', tag: 'memory' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  effect: 'read',
  body: model(
    'MemoryRecallRequest',
    {
      query: Type.String(),
      k: Type.Optional(Type.Integer({ default: defaultHits })),
      memory_type: Type.Optional(nullable(Type.String())),
      source: Type.Optional(nullable(Type.String())),
    },
    {
      fields: {
        query: '1 to 500 characters.',
        k: 'The most hits, 1 to 50.',
        memory_type: 'Only memories of exactly this type.',
        source: 'Only memories of exactly this source.',
      },
    },
  ),
  answers: { 200: searchResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  failsPlain: [503],
  services: { memoryParts },
  errors: {
    MEMORY_OFF: memoryErrors.MEMORY_OFF,
    EMBEDDER_UNAVAILABLE: { kind: 'unavailable', meaning: 'The embedder does not answer; try again later.' },
    INVALID_INPUT: 'The query or k is out of its range.',
  },

  async precheck({ ctx, use }) {
    use.memoryParts.graphMemories.requireOpen(graphOf(ctx), 'read');
  },

  async handle({ body, ctx, use }) {
    const { id: graphId } = graphOf(ctx);
    const { query, k = defaultHits, memory_type: memoryType, source } = body;
    const request = { query, k, memoryType: memoryType ?? undefined, source: source ?? undefined };
    const options = { now: ctx.now(), signal: ctx.signal };
    const found = await use.memoryParts.graphMemories.recall(graphId, request, options);
    return { total: found.length, hits: found.map(hitOf), query: query.trim(), graph_id: graphId };
  },
});

/** A memory as a hit of a search: the snippet is its whole text (ME-9). */
function hitOf(memory: RecalledMemory): TypeOf<typeof searchResponse>['hits'][number] {
  return {
    document_id: memory.id,
    score: memory.score,
    source_type: 'memory',
    snippet: memory.text,
    content_length: [...memory.text].length,
    tags: memory.tags === null ? null : [...memory.tags],
  };
}
