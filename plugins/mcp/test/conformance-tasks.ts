import { setTimeout } from 'node:timers/promises';
import { defineOperation, defineTool, model, ServiceError } from '@pacioli/core';
import { Type } from 'typebox';

// The names are those that the conformance suite of the protocol calls.

const facts = { role: 'member', maxSeconds: 120, restartable: true, dedupe: false } as const;
const done = (name: string) => model(name, { text: Type.String() });

export const greet = defineTool({
  name: 'greet',
  title: 'Greet',
  description: 'Returns a greeting.',
  role: 'viewer',
  effect: 'read',
  input: model('Greet', { name: Type.String() }, { closed: true }),
  handle: async ({ input }) => `Hello, ${input.name}!`,
});

const slowCompute = defineOperation({
  ...facts,
  runs: 'worker',
  name: 'slow-compute',
  summary: 'Takes some seconds.',
  openapi: { id: 'slow_compute', tag: 'conformance' },
  mcp: { tool: 'slow_compute', hint: 'Takes some seconds.' },
  input: model('SlowCompute', { seconds: Type.Integer(), label: Type.Optional(Type.String()) }),
  output: done('SlowComputed'),
  async handle({ input, ctx }) {
    // A canceled run ends with the reason of its signal, not with the error of the timer.
    await setTimeout(input.seconds * 1_000, undefined, { signal: ctx.signal }).catch(() => ctx.signal.throwIfAborted());
    return { text: `Computed ${input.label ?? 'nothing'}.` };
  },
});

const failingJob = defineOperation({
  ...facts,
  runs: 'worker',
  name: 'failing-job',
  summary: 'Fails with an error of its own.',
  openapi: { id: 'failing_job', tag: 'conformance' },
  mcp: { tool: 'failing_job', hint: 'Always fails.' },
  input: model('FailingJob', {}),
  output: done('FailedJob'),
  errors: { JOB_FAILED: 'The job fails on purpose.' },
  async handle() {
    throw new ServiceError('conflict', 'JOB_FAILED', 'The job has failed.');
  },
});

const protocolErrorJob = defineOperation({
  ...facts,
  runs: 'worker',
  name: 'protocol-error-job',
  summary: 'Fails with an unexpected error.',
  openapi: { id: 'protocol_error_job', tag: 'conformance' },
  mcp: { tool: 'protocol_error_job', hint: 'Always fails.' },
  input: model('ProtocolErrorJob', {}),
  output: done('ProtocolErrorOfJob'),
  async handle() {
    throw new Error('This failure is on purpose.');
  },
});

const confirmDelete = defineOperation({
  ...facts,
  runs: 'worker',
  name: 'confirm-delete',
  summary: 'Asks before it deletes.',
  openapi: { id: 'confirm_delete', tag: 'conformance' },
  mcp: { tool: 'confirm_delete', hint: 'Asks before it deletes.' },
  input: model('ConfirmDelete', { filename: Type.String() }),
  output: done('ConfirmedDelete'),
  async handle({ input, ctx }) {
    if (ctx.resume === undefined)
      return ctx.ask({
        prompt: `Delete ${input.filename}?`,
        checkpoint: {},
        schema: model('DeleteAnswer', { confirm: Type.Boolean() }),
      });
    return { text: `Deleted ${input.filename}.` };
  },
});

/** The operations that the scenarios of tasks call. */
export const taskOperations = [slowCompute, failingJob, protocolErrorJob, confirmDelete];
