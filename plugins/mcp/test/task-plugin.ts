import { credits, defineOperation, definePlugin, model, openObject, ServiceError } from '@pacioli/core';
import { Type } from 'typebox';

/** The gates at which runs wait until a test opens them. */
const gates = new Map<string, Promise<void>>();

/** Closes a gate, and returns the function that opens it. */
export function closedGate(name: string): () => void {
  let open: () => void = () => undefined;
  gates.set(
    name,
    new Promise((resolve) => {
      open = resolve;
    }),
  );
  return open;
}

const facts = { role: 'member', maxSeconds: 120, restartable: true } as const;
const gate = Type.Optional(Type.String());
const counted = (name: string) => model(name, { sheets: Type.Integer(), tax_id: Type.String() });

const countSheets = defineOperation({
  ...facts,
  runs: 'worker',
  name: 'count-sheets',
  summary: 'Counts sheets, for credits.',
  openapi: { id: 'count_sheets', tag: 'sheets' },
  mcp: { hint: 'Counts sheets.' },
  dedupe: false,
  input: model('CountSheets', { sheets: Type.Integer(), gate, end: Type.Optional(Type.String()) }),
  output: counted('CountedSheets'),
  services: { credits },
  errors: { SHEET_TORN: 'A sheet is torn.' },
  async handle({ input: { sheets, gate: name, end }, ctx, use }) {
    await ctx.report({ message: `Counting ${sheets} sheets`, percent: 40 });
    if (name !== undefined) await gates.get(name);
    const { operationId, requestId, caller, graph } = ctx;
    if (graph === undefined) throw new Error('Sheets are of a graph.');
    const call = { operationId, requestId, callIndex: 0, operationType: 'count', userId: caller.userId };
    const usage = { model: 'anthropic_claude_4_sonnet', inputTokens: 1_000, outputTokens: 0 };
    await use.credits.reserve({ graphId: graph.id }, call, usage);
    await use.credits.settle({ graphId: graph.id }, call, usage);
    if (end === 'refusal') throw new ServiceError('conflict', 'SHEET_TORN', 'Sheet 3 is torn.', { details: { at: 3 } });
    if (end === 'fault') throw new Error('This failure is on purpose.');
    return { sheets, tax_id: '12-3456789' };
  },
});

const paintSheets = defineOperation({
  ...facts,
  runs: 'worker',
  name: 'paint-sheets',
  summary: 'Asks two questions.',
  openapi: { id: 'paint_sheets', tag: 'sheets' },
  mcp: { hint: 'Paints sheets.' },
  dedupe: false,
  input: model('PaintSheets', {}),
  output: openObject(),
  async handle({ ctx }) {
    const answers = (ctx.resume?.checkpoint['answers'] ?? []) as readonly unknown[];
    const all = ctx.resume === undefined ? answers : [...answers, ctx.resume.input];
    if (all.length === 2) return { answers: all };
    return ctx.ask({
      prompt: all.length === 0 ? 'Which color?' : 'Which brush?',
      checkpoint: { answers: all },
      ...(all.length === 0 ? { schema: model('SheetColor', { color: Type.String({ maxLength: 5 }) }) } : {}),
    });
  },
});

const sortSheets = defineOperation({
  ...facts,
  runs: 'worker',
  name: 'sort-sheets',
  summary: 'Sorts sheets, for all who ask at once.',
  openapi: { id: 'sort_sheets', tag: 'sheets' },
  mcp: { hint: 'Sorts sheets.' },
  joins: () => 'sheets',
  input: model('SortSheets', {}),
  output: openObject(),
  async handle() {
    await gates.get('sorting');
    return { sorted: true };
  },
});

const shredSheets = defineOperation({
  ...facts,
  runs: 'worker',
  name: 'shred-sheets',
  summary: 'Shreds sheets.',
  openapi: { id: 'shred_sheets', tag: 'sheets' },
  mcp: { hint: 'Shreds.', destructive: true, confirmation: 'Shreds all.', gate: { isAdministration: true } },
  input: model('ShredSheets', {}),
  output: openObject(),
  handle: async () => ({ shredded: true }),
});

const fileSheets = defineOperation({
  ...facts,
  runs: 'worker',
  name: 'file-sheets',
  summary: 'Files sheets, by people only.',
  openapi: { id: 'file_sheets', tag: 'sheets' },
  mcp: { held: 'Only people file sheets.' },
  input: model('FileSheets', {}),
  output: openObject(),
  handle: async () => ({ filed: true }),
});

const addSheet = defineOperation({
  name: 'add-sheet',
  summary: 'Adds a sheet.',
  role: 'member',
  openapi: { id: 'add_sheet', tag: 'sheets' },
  mcp: { hint: 'Adds a sheet.' },
  input: model('AddSheet', {}),
  output: openObject(),
  handle: async () => ({ added: true }),
});

/** A domain whose tools start runs of each kind. */
export const taskPlugin = definePlugin({
  name: 'sheets',
  title: 'Sheets',
  version: '1.0.0',
  kernel: '^0.1.0',
  domain: 'sheets',
  operations: [countSheets, paintSheets, sortSheets, shredSheets, fileSheets, addSheet],
});
