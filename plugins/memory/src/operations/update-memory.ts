import { defineOperation, model, nullable, openObject } from '@pacioli/core';
import { Type } from 'typebox';
import { memoryErrors, memoryView, type PreparedChanges } from '../memories/index.ts';
import memoryRecord from '../models/MemoryRecord.ts';
import { memoryParts } from '../providers.ts';

export default defineOperation({
  name: 'update-memory',
  summary: 'Changes a memory: only what is given. Its source, author and time of creation stay.',
  openapi: { id: 'update_memory', tag: 'content_operations' },
  role: 'member',
  mcp: {
    tool: 'update-memory',
    hint: 'Corrects a memory, instead of storing a second one that contradicts it.',
    omits: ['source_ref', 'provenance'],
    idempotent: true,
    gate: { graphs: ['tenant'] },
    isOn: ({ memoryParts }) => memoryParts.graphMemories.isOn,
  },
  input: model(
    'UpdateMemoryOp',
    {
      memory_id: Type.String(),
      text: Type.Optional(nullable(Type.String())),
      memory_type: Type.Optional(nullable(Type.String())),
      tags: Type.Optional(nullable(Type.Array(Type.String()))),
      source_ref: Type.Optional(nullable(Type.String())),
      provenance: Type.Optional(nullable(openObject())),
    },
    {
      fields: {
        text: '1 to 10,000 characters; null keeps the text.',
        memory_type: 'At most 64 characters; null keeps the type.',
        tags: 'All tags; null removes them.',
        source_ref: 'Null removes it.',
        provenance: 'The whole object; null removes it.',
      },
    },
  ),
  output: memoryRecord,
  untypedResult: true,
  services: { memoryParts },
  errors: {
    ...memoryErrors,
    NOT_FOUND: 'The graph has no memory with this id.',
    ALREADY_EXISTS: 'Another memory of the type has the text.',
  },
  examples: [
    {
      input: { memory_id: '{{remember.id}}', text: 'The harbour office invoices in Swiss francs.', tags: null },
      given: [{ operation: 'remember', input: { text: 'The harbour office invoices in euros.' } }],
    },
    { input: { memory_id: `mem_${'0'.repeat(32)}`, text: 'Nothing has this id.' }, fails: 'NOT_FOUND' },
    { input: { memory_id: `mem_${'0'.repeat(32)}`, text: `rfs${'0f'.repeat(32)}` }, fails: 'CREDENTIAL_IN_MEMORY' },
    {
      input: { memory_id: '{{remember.id}}', text: 'the office is closed ON FRIDAYS.' },
      given: [
        { operation: 'remember', input: { text: 'The office is closed on Fridays.' } },
        { operation: 'remember', input: { text: 'The office is open on Mondays.' } },
      ],
      fails: 'ALREADY_EXISTS',
    },
  ],

  async precheck({ graph, use }) {
    if (graph !== undefined) use.memoryParts.graphMemories.requireOpen(graph, 'store');
  },

  async prepare({ input, ctx, use }) {
    const { graphMemories } = use.memoryParts;
    graphMemories.requireOpen(ctx.graph, 'store');
    const changes = {
      memoryId: input.memory_id,
      text: input.text ?? undefined,
      memoryType: input.memory_type ?? undefined,
      tags: input.tags,
      sourceRef: input.source_ref,
      provenance: input.provenance,
    };
    return graphMemories.prepareChanges(changes, ctx);
  },

  async handle({ ctx, use, prepared }) {
    // The result of prepare.
    return memoryView(await use.memoryParts.graphMemories.update(ctx.tx, prepared as PreparedChanges, ctx.now()));
  },
});
