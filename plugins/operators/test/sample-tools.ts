import { definePlugin, defineTool, model, openObject, ServiceError } from '@pacioli/core';
import { Type } from 'typebox';

/** The calls of the sample tools in order, each as `name graph`; tests clear it. */
export const calls: string[] = [];

const harmlessTexts = {
  memory: 'Fiscal years end in June.',
  document: 'Leases over a year are capitalized.',
  rows: '',
  report: 'Notes of a shared report.',
  agent: 'Harbour Supplies',
};

/** Texts of the graph that the sample tools return; tests replace them. */
export const texts = { ...harmlessTexts };

/** Forgets the calls, and puts the texts back that tests replaced: test files share the modules of their worker. */
export function resetSampleTools(): void {
  calls.length = 0;
  Object.assign(texts, harmlessTexts);
}

const read = (name: string, input: ReturnType<typeof model>, handle: (input: Record<string, unknown>) => unknown) =>
  defineTool({
    name,
    title: name,
    description: `Reads by ${name}.`,
    role: 'viewer',
    effect: 'read',
    input,
    errors: { SAMPLE_BROKEN: { kind: 'unavailable', meaning: 'The sample is broken.' } },
    handle: async ({ input: given, ctx }) => {
      calls.push(`${name} ${ctx.graph.id}`);
      return handle(given);
    },
  });

const write = (name: string, handle: (input: Record<string, unknown>) => unknown) =>
  defineTool({
    name,
    title: name,
    description: `Writes by ${name}.`,
    role: 'member',
    effect: 'write',
    input: model(`Input of ${name}`, { name: Type.Optional(Type.String()) }, { closed: true }),
    handle: async ({ input, ctx }) => {
      calls.push(`${name} ${ctx.graph.id}`);
      return handle(input);
    },
  });

const query = (title: string) => model(title, { query: Type.String(), k: Type.Optional(Type.Integer()) });

/** A domain with tools that are named like real ones, so that operators can be tested without their plugins. */
export const sampleTools = definePlugin({
  name: 'samples',
  title: 'Samples',
  version: '0.1.0',
  kernel: '^0.1.0',
  domain: 'samples',
  tools: [
    read('get-graph-schema', model('SampleSchemaInput', {}), () => ({ labels: ['Berth'] })),
    read('get-example-queries', model('SampleQueriesInput', {}), () => [{ query: 'MATCH (n) RETURN n LIMIT 5' }]),
    read('read-graph-cypher', query('SampleCypher'), ({ query: text }) =>
      String(text).includes('nothing') ? { rows: [] } : { rows: [{ label: texts.rows || 'Berth', nodes: 3 }] },
    ),
    read('recall', query('SampleRecall'), () => ({
      total: 1,
      results: [{ id: 'mem_1', score: 0.9, text: texts.memory, tags: [] }],
    })),
    read(
      'search-documents',
      model('SampleSearch', { query: Type.String(), size: Type.Optional(Type.Integer()) }),
      () => ({
        total: 1,
        hits: [{ document_id: 'doc_1', snippet: texts.document }],
      }),
    ),
    read('information-block', query('SampleBlock'), () => ({ text: texts.report, untrusted: true })),
    read('list-agents', query('SampleAgents'), () => ({ agents: [{ name: texts.agent }] })),
    read('print-text', model('SamplePrint', { length: Type.Integer() }), ({ length }) => 'x'.repeat(Number(length))),
    read('break-always', model('SampleBreak', {}), () => {
      throw new ServiceError('unavailable', 'SAMPLE_BROKEN', 'The sample is broken.');
    }),
    write('create-report', ({ name }) => ({ id: 'rep_1', name: name ?? 'Report', block_type: 'report' })),
    write('create-agent', () => ({ agent_id: 'agt_1' })),
    defineTool({
      name: 'update-agent',
      title: 'update-agent',
      description: 'Writes by update-agent.',
      role: 'member',
      effect: 'write',
      input: model('Input of update-agent', {
        note: Type.String(),
        name: Type.Optional(Type.String()),
        payload: Type.Optional(openObject()),
      }),
      handle: async ({ ctx }) => {
        calls.push(`update-agent ${ctx.graph.id}`);
        return { agent_id: 'agt_1' };
      },
    }),
    defineTool({
      name: 'compute-forecast',
      title: 'compute-forecast',
      description: 'Writes by compute-forecast.',
      role: 'admin',
      effect: 'write',
      input: model('Input of compute-forecast', {}),
      handle: async ({ ctx }) => {
        calls.push(`compute-forecast ${ctx.graph.id}`);
        return { id: 'fct_1' };
      },
    }),
    write('create-security', () => ({ id: 'sec_1' })),
    write('delete-report', () => ({ id: 'rep_1' })),
    write('close-period', () => ({ period: '2026-01' })),
  ],
});
