import { defineOperation, definePlugin, defineView, model, type Plugin, sql } from '@pacioli/core';
import { Type } from 'typebox';

/** The duration of a step, long enough that kills interrupt runs. */
const stepMs = 40;

/** Writes its marks step by step; each mark may be written only once, whichever process dies. */
const mark = defineOperation({
  name: 'mark-steps',
  summary: 'Writes a number of marks, one by one.',
  role: 'member',
  runs: 'worker',
  maxSeconds: 120,
  restartable: true,
  dedupe: false,
  openapi: { id: 'mark_steps', tag: 'tally' },
  mcp: { held: 'Only for tests.' },
  input: model('MarkStepsRequest', { label: Type.String(), steps: Type.Integer({ minimum: 1, maximum: 20 }) }),
  output: model('MarkStepsResponse', { label: Type.String(), marks: Type.Integer() }),
  async handle({ input, ctx }) {
    for (let step = 1; step <= input.steps; step += 1) {
      await ctx.transaction(async (tx) => {
        const made = await tx.query(sql`
          INSERT INTO tally_mark (graph_id, label, step) VALUES (${ctx.graph?.id}, ${input.label}, ${step})
          ON CONFLICT DO NOTHING RETURNING step`);
        if (made.length === 1) {
          await tx.query(sql`
            INSERT INTO tally_total AS t (graph_id, label, marks) VALUES (${ctx.graph?.id}, ${input.label}, 1)
            ON CONFLICT (graph_id, label) DO UPDATE SET marks = t.marks + 1`);
        }
        await new Promise((resolve) => setTimeout(resolve, stepMs));
      });
      await ctx.report({ message: `step ${step}`, current_step: step, total_steps: input.steps });
    }
    return { label: input.label, marks: input.steps };
  },
});

/** Adds one to a label in the request itself: a retry with the same key must not add again. */
const add = defineOperation({
  name: 'add-one',
  summary: 'Adds one.',
  role: 'member',
  openapi: { id: 'add_one', tag: 'tally' },
  mcp: { held: 'Only for tests.' },
  input: model('AddOneRequest', { label: Type.String() }),
  output: model('AddOneResponse', { marks: Type.Integer() }),
  async handle({ input, ctx }) {
    const [row] = await ctx.tx.query(sql<{ marks: number }>`
      INSERT INTO tally_total AS t (graph_id, label, marks) VALUES (${ctx.graph.id}, ${input.label}, 1)
      ON CONFLICT (graph_id, label) DO UPDATE SET marks = t.marks + 1 RETURNING marks`);
    return { marks: row?.marks ?? 0 };
  },
});

const totals = defineView({
  name: 'totals',
  summary: 'The marks of each label.',
  role: 'viewer',
  openapi: { id: 'totals', tag: 'tally' },
  mcp: { held: 'Only for tests.' },
  input: model('TotalsRequest', {}),
  output: model('TotalsResponse', {
    totals: Type.Array(model('LabelTotal', { label: Type.String(), marks: Type.Integer() })),
  }),
  async handle({ ctx }) {
    const rows = await ctx.tx.query(sql<{ label: string; marks: number }>`
      SELECT label, marks FROM tally_total ORDER BY label LIMIT 1000`);
    return { totals: [...rows] };
  },
});

export const tallyPlugin: Plugin = definePlugin({
  name: 'tally',
  title: 'Tally',
  version: '1.0.0',
  kernel: '^0.1.0',
  domain: 'tally',
  migrations: new URL('./migrations/', import.meta.url),
  operations: [add, mark],
  views: [totals],
});
