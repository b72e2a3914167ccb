import { defineOperation, definePlugin, defineTool, model, ServiceError } from '@pacioli/core';
import { Type } from 'typebox';

/** Counts the calls that wait, were canceled, and have erased everything. */
export const controls: { canceled: number; waiting: number; erased: number } = { canceled: 0, waiting: 0, erased: 0 };

const echo = defineTool({
  name: 'echo',
  title: 'Echo',
  description: 'Returns its text.',
  role: 'viewer',
  effect: 'read',
  input: model('Echo', { text: Type.String({ maxLength: 100 }) }, { closed: true }),
  output: model('Echoed', { text: Type.String() }),
  handle: async ({ input }) => ({ text: input.text }),
});

const count = defineTool({
  name: 'count-slowly',
  title: 'Count slowly',
  description: 'Reports three steps.',
  role: 'viewer',
  effect: 'read',
  isLong: true,
  input: model('CountSlowly', {}, { closed: true }),
  async handle({ ctx }) {
    for (let step = 1; step <= 3; step += 1) ctx.report(`step ${step}`, step * 30);
    return { counted: 3 };
  },
});

const wait = defineTool({
  name: 'wait-for-end',
  title: 'Wait for the end',
  description: 'Waits until the client disconnects.',
  role: 'viewer',
  effect: 'read',
  input: model('WaitForEnd', {}, { closed: true }),
  handle: ({ ctx }) =>
    new Promise((resolve) => {
      controls.waiting += 1;
      ctx.signal.addEventListener('abort', () => {
        controls.canceled += 1;
        resolve({});
      });
    }),
});

const document = defineTool({
  name: 'get-document',
  title: 'Get a document',
  description: 'Fails, as if the store were down.',
  role: 'viewer',
  effect: 'read',
  input: model('GetDocument', { document_id: Type.String() }, { closed: true }),
  handle: async () => {
    throw new ServiceError('unavailable', 'DOCUMENTS_DOWN', 'The documents cannot be read.');
  },
});

const erase = defineOperation({
  name: 'erase-all',
  summary: 'Erases everything.',
  role: 'member',
  effect: 'destructive',
  openapi: { id: 'erase_all', tag: 'fixture' },
  mcp: { hint: 'Never use it.', confirmation: 'Erases everything there is.' },
  input: model('EraseAll', { reason: Type.String(), ids: Type.Optional(Type.Array(Type.Integer())) }),
  output: model('ErasedAll', { erased: Type.String() }),
  async handle({ input }) {
    controls.erased += 1;
    return { erased: input.reason };
  },
});

/** A domain with tools of each kind. */
export const fixturePlugin = definePlugin({
  name: 'fixture',
  title: 'Fixture',
  version: '1.0.0',
  kernel: '^0.1.0',
  domain: 'fixture',
  operations: [erase],
  tools: [echo, count, wait, document],
});
