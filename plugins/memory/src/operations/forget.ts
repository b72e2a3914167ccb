import { defineOperation, model } from '@pacioli/core';
import { Type } from 'typebox';
import { memoryErrors } from '../memories/index.ts';
import { memoryParts } from '../providers.ts';

export default defineOperation({
  name: 'forget',
  summary: 'Deletes a memory; an id that the graph does not have is no error.',
  openapi: { id: 'forget', tag: 'content_operations' },
  role: 'member',
  mcp: {
    tool: 'forget',
    hint: 'Deletes a memory that is wrong or no longer needed, by its id.',
    destructive: true,
    idempotent: true,
    confirmation: 'Deletes the memory for good.',
    gate: { graphs: ['tenant'] },
    isOn: ({ memoryParts }) => memoryParts.graphMemories.isOn,
  },
  input: model('ForgetOp', { memory_id: Type.String() }),
  output: model('ForgetResult', { id: Type.String(), deleted: Type.Boolean() }),
  untypedResult: true,
  services: { memoryParts },
  errors: { MEMORY_OFF: memoryErrors.MEMORY_OFF },
  examples: [
    {
      input: { memory_id: '{{remember.id}}' },
      given: [{ operation: 'remember', input: { text: 'The harbour office invoices in euros.' } }],
    },
    { input: { memory_id: `mem_${'0'.repeat(32)}` } },
  ],

  async precheck({ graph, use }) {
    if (graph !== undefined) use.memoryParts.graphMemories.requireOpen(graph, 'remove');
  },

  async handle({ input, ctx, use }) {
    const { graphMemories, stored } = use.memoryParts;
    graphMemories.requireOpen(ctx.graph, 'remove');
    return { id: input.memory_id, deleted: await stored.delete(ctx.tx, input.memory_id) };
  },
});
