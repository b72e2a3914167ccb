import { defineOperation, model, nullable, openObject } from '@pacioli/core';
import { Type } from 'typebox';
import { memoryErrors, memoryView } from '../memories/index.ts';
import memoryRecord from '../models/MemoryRecord.ts';
import { memoryParts } from '../providers.ts';
import type { PreparedMemory } from '../tokens.ts';

export default defineOperation({
  name: 'remember',
  summary: 'Stores a short text that members and AI clients of the graph can find by meaning.',
  openapi: { id: 'remember', tag: 'content_operations' },
  role: 'member',
  mcp: {
    tool: 'remember',
    hint: 'Stores one fact, preference, decision or correction about this graph, in a sentence or two.',
    // A model could hide by them that it has stored a text (ai-surface PX-4).
    omits: ['source', 'source_ref', 'provenance'],
    gate: { graphs: ['tenant'] },
    isOn: ({ memoryParts }) => memoryParts.graphMemories.isOn,
  },
  input: model(
    'RememberOp',
    {
      text: Type.String(),
      source: Type.Optional(Type.String({ default: 'api' })),
      memory_type: Type.Optional(Type.String({ default: 'note' })),
      tags: Type.Optional(nullable(Type.Array(Type.String()))),
      source_ref: Type.Optional(nullable(Type.String())),
      provenance: Type.Optional(nullable(openObject())),
    },
    {
      fields: {
        text: '1 to 10,000 characters. One that is stored already with the same type is not stored again.',
        source: 'Who stores it, at most 64 characters.',
        memory_type: 'Any name of at most 64 characters.',
        tags: 'At most 20 of at most 64 characters.',
        source_ref: 'Where it is from, at most 2,048 characters.',
        provenance: 'Any object, at most 8,192 bytes as JSON.',
      },
    },
  ),
  output: memoryRecord,
  untypedResult: true,
  services: { memoryParts },
  errors: {
    ...memoryErrors,
    MEMORY_LIMIT_REACHED: { kind: 'invalid_input', meaning: 'The graph has as many memories as it can have.' },
  },
  examples: [
    { input: { text: 'The harbour office invoices in euros.', memory_type: 'fact', tags: ['invoices'] } },
    { input: { text: `The key is rfs${'0f'.repeat(32)}.` }, fails: 'CREDENTIAL_IN_MEMORY' },
  ],

  async precheck({ graph, use }) {
    if (graph !== undefined) use.memoryParts.graphMemories.requireOpen(graph, 'store');
  },

  async prepare({ input, ctx, use }) {
    const { graphMemories } = use.memoryParts;
    graphMemories.requireOpen(ctx.graph, 'store');
    const memory = {
      text: input.text,
      source: isTool(ctx.surface) ? ctx.surface : (input.source ?? 'api'),
      memoryType: input.memory_type ?? 'note',
      tags: input.tags,
      sourceRef: input.source_ref,
      provenance: input.provenance,
    };
    return graphMemories.prepare(memory, ctx);
  },

  async handle({ ctx, use, prepared }) {
    const by = { userId: ctx.caller.userId, now: ctx.now() };
    // The result of prepare.
    return memoryView(await use.memoryParts.graphMemories.remember(ctx.tx, prepared as PreparedMemory, by));
  },
});

/** True for the surfaces whose source is not for the caller to choose (ai-surface ME-5, PX-4). */
function isTool(surface: string): surface is 'mcp' | 'operator' {
  return surface === 'mcp' || surface === 'operator';
}
