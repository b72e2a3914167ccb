import { credits, defineOperation, definePlugin, model, openObject, ServiceError } from '@pacioli/core';
import { Type } from 'typebox';

/** The gates at which runs wait until a test opens them, by name. */
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
const imported = (name: string) => model(name, { lines: Type.Integer(), tax_id: Type.String() });

const importLines = defineOperation({
  ...facts,
  runs: 'worker',
  name: 'import-lines',
  summary: 'Imports lines, for credits.',
  openapi: { id: 'import_lines', tag: 'imports' },
  mcp: { hint: 'Imports lines.' },
  dedupe: false,
  input: model('ImportLines', { lines: Type.Integer(), gate, end: Type.Optional(Type.String()) }),
  output: imported('ImportedLines'),
  services: { credits },
  errors: { LINE_REJECTED: 'A line was rejected.' },
  async handle({ input: { lines, gate: name, end }, ctx, use }) {
    await ctx.report({ message: `Importing ${lines} lines`, percent: 40 });
    if (name !== undefined) await gates.get(name);
    const { operationId, requestId, caller, graph } = ctx;
    if (graph === undefined) throw new Error('Lines are of a graph.');
    const call = { operationId, requestId, callIndex: 0, operationType: 'import', userId: caller.userId };
    const usage = { model: 'anthropic_claude_4_sonnet', inputTokens: 1_000, outputTokens: 0 };
    await use.credits.reserve({ graphId: graph.id }, call, usage);
    await use.credits.settle({ graphId: graph.id }, call, usage);
    if (end === 'refusal')
      throw new ServiceError('conflict', 'LINE_REJECTED', 'Line 3 has no account.', { details: { line: 3 } });
    if (end === 'fault') throw new Error('This failure is on purpose.');
    return { lines, tax_id: '12-3456789' };
  },
});

const mapAccount = defineOperation({
  ...facts,
  runs: 'worker',
  name: 'map-account',
  summary: 'Maps an account, after two questions.',
  openapi: { id: 'map_account', tag: 'imports' },
  mcp: { hint: 'Maps an account.' },
  dedupe: false,
  input: model('MapAccount', {}),
  output: openObject(),
  async handle({ ctx }) {
    const answers = (ctx.resume?.checkpoint['answers'] ?? []) as readonly unknown[];
    const all = ctx.resume === undefined ? answers : [...answers, ctx.resume.input];
    if (all.length === 2) return { answers: all };
    return ctx.ask({
      prompt: all.length === 0 ? 'Which account?' : 'Which period?',
      checkpoint: { answers: all },
      ...(all.length === 0 ? { schema: model('AccountAnswer', { account: Type.String({ maxLength: 5 }) }) } : {}),
    });
  },
});

const refreshTotals = defineOperation({
  ...facts,
  runs: 'worker',
  name: 'refresh-totals',
  summary: 'Refreshes totals; calls at the same time join one run.',
  openapi: { id: 'refresh_totals', tag: 'imports' },
  mcp: { hint: 'Refreshes totals.' },
  joins: () => 'totals',
  input: model('RefreshTotals', {}),
  output: openObject(),
  async handle() {
    await gates.get('totals');
    return { refreshed: true };
  },
});

const deleteLines = defineOperation({
  ...facts,
  runs: 'worker',
  name: 'delete-lines',
  summary: 'Deletes all lines.',
  openapi: { id: 'delete_lines', tag: 'imports' },
  mcp: {
    hint: 'Deletes lines.',
    destructive: true,
    confirmation: 'Deletes all lines.',
    gate: { isAdministration: true },
  },
  input: model('DeleteLines', {}),
  output: openObject(),
  handle: async () => ({ deleted: true }),
});

const fileLines = defineOperation({
  ...facts,
  runs: 'worker',
  name: 'file-lines',
  summary: 'Files lines, and is held.',
  openapi: { id: 'file_lines', tag: 'imports' },
  mcp: { held: 'Only people file lines.' },
  input: model('FileLines', {}),
  output: openObject(),
  handle: async () => ({ filed: true }),
});

const addLine = defineOperation({
  name: 'add-line',
  summary: 'Adds a line, without a run.',
  role: 'member',
  openapi: { id: 'add_line', tag: 'imports' },
  mcp: { hint: 'Adds a line, without a run.' },
  input: model('AddLine', {}),
  output: openObject(),
  handle: async () => ({ added: true }),
});

/**
 * A domain whose tools start runs of each kind, which end when a test lets them. `conformance-tasks.ts` has the tools whose
 * names and durations the conformance suite of the protocol requires.
 */
export const taskPlugin = definePlugin({
  name: 'imports',
  title: 'Imports',
  version: '1.0.0',
  kernel: '^0.1.0',
  domain: 'imports',
  operations: [importLines, mapAccount, refreshTotals, deleteLines, fileLines, addLine],
});
