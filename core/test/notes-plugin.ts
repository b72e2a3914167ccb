import {
  calendarDate,
  createToken,
  defineEvent,
  defineJob,
  defineOperation,
  definePlugin,
  defineQuery,
  defineView,
  finishedAtOnce,
  invalidInput,
  model,
  nullable,
  type Plugin,
  provide,
  ServiceError,
  sql,
  type Transaction,
} from '@pacioli/core';
import { Type } from 'typebox';

/** A minimal domain with every kind of part, for tests of the kernel. */
export interface Notes {
  add(tx: Transaction, graphId: string, id: string, text: string): Promise<void>;
  list(tx: Transaction): Promise<readonly { readonly id: string; readonly text: string }[]>;
}

export const notes = createToken<Notes>('notes.notes');
const noteAdded = defineEvent('notes.note-added', model('NoteAdded', { id: Type.String() }));

/** The events that the job received, and the gates by which tests control runs. */
export const heard: string[] = [];
export const gates = new Map<string, Promise<void>>();

const note = model('Note', {
  id: Type.String(),
  note_text: Type.String(),
  due: Type.Optional(nullable(calendarDate())),
});

const addNote = defineOperation({
  name: 'add-note',
  summary: 'Adds a note.',
  role: 'member',
  openapi: { id: 'add_note', tag: 'notes' },
  mcp: { hint: 'Adds a note.' },
  input: model('AddNoteRequest', {
    text: Type.String({ minLength: 1 }),
    amount: Type.Optional(Type.Integer({ default: 0, maximum: Number.MAX_SAFE_INTEGER })),
  }),
  output: model('AddNoteResponse', { id: Type.String(), text: Type.String() }),
  services: { notes },
  emits: [noteAdded],
  stale: 'note_added',
  errors: { NOTE_REFUSED: 'The note says "refuse".' },
  async handle({ input, ctx, use }) {
    if (input.text === 'explode') throw new Error('secret internals');
    const id = `note_${ctx.operationId}`;
    await use.notes.add(ctx.tx, ctx.graph.id, id, input.text);
    if (input.text === 'refuse') throw new ServiceError('conflict', 'NOTE_REFUSED', 'This note is refused.');
    ctx.emit(noteAdded, { id });
    return { id, text: input.text };
  },
});

const copyNotes = defineOperation({
  name: 'copy-notes',
  summary: 'Copies notes on the worker.',
  role: 'member',
  runs: 'worker',
  maxSeconds: 30,
  restartable: true,
  openapi: { id: 'copy_notes', tag: 'notes' },
  mcp: { hint: 'Copies notes.' },
  input: model('CopyNotesRequest', {
    steps: Type.Integer({ minimum: 0, maximum: 6 }),
    gate: Type.Optional(Type.String()),
    ask: Type.Optional(Type.Boolean()),
  }),
  output: model('CopyNotesResponse', { copied: Type.Integer(), answer: Type.Optional(Type.String()) }),
  async handle({ input, ctx }) {
    if (input.ask === true && ctx.resume === undefined) {
      return ctx.ask({
        prompt: 'Which color?',
        checkpoint: { step: 1 },
        schema: model('Color', { color: Type.String() }),
      });
    }
    for (let step = 1; step <= input.steps; step += 1) {
      await ctx.report({ message: `step ${step}`, percent: step * 10, current_step: step, total_steps: input.steps });
    }
    if (input.gate === 'U+0000') {
      await ctx.report({ message: 'a\0b', percent: 1 });
      throw invalidInput('Wrong: a\0b', { 'k\0': '\0' });
    }
    if (input.gate === 'bigint') throw invalidInput('Too many.', { count: 1n });
    if (input.gate !== undefined) await gates.get(input.gate);
    if (input.steps === 6) throw new ServiceError('conflict', 'NOTE_TORN', 'This note is torn.');
    if (input.steps === 5) throw invalidInput('Five steps are too many.');
    const given = ctx.resume?.input;
    const color = typeof given === 'object' && given !== null && 'color' in given ? String(given.color) : undefined;
    return { copied: input.steps, ...(color === undefined ? {} : { answer: color }) };
  },
});

const bindNotebook = defineOperation({
  name: 'bind-notebook',
  path: 'POST /v1/graphs/{graph_id}/notebooks/{notebook_id}/bind',
  summary: 'Binds a notebook on the worker, unless it is empty.',
  role: 'member',
  runs: 'worker',
  maxSeconds: 30,
  restartable: true,
  openapi: { id: 'bind_notebook', tag: 'notes' },
  mcp: { hint: 'Binds a notebook.', destructive: true, confirmation: 'Binds the notebook for good.' },
  input: model('BindNotebookRequest', { color: Type.Optional(Type.String()) }),
  output: model('BindNotebookResponse', { bound: Type.String() }),
  async admit({ ctx }) {
    const notebook = ctx.params['notebook_id'] ?? '';
    return notebook === 'empty' ? finishedAtOnce({ bound: 'nothing' }) : { notebook };
  },
  async handle({ ctx }) {
    return { bound: String(ctx.accepted?.['notebook']) };
  },
});

const countNotes = defineView({
  name: 'count-notes',
  summary: 'How many notes there are.',
  role: 'viewer',
  openapi: { id: 'count_notes', tag: 'notes' },
  mcp: { hint: 'Counts the notes.' },
  input: model('CountNotesRequest', {}, { closed: true }),
  output: model('CountNotesResponse', { count: Type.Integer() }),
  services: { notes },
  async handle({ ctx, use }) {
    return { count: (await use.notes.list(ctx.tx)).length };
  },
});

const noteList = defineQuery({
  name: 'noteList',
  summary: 'The notes of the graph.',
  args: model('NoteListArgs', { starting_with: Type.Optional(Type.String()) }),
  returns: Type.Array(note),
  mcp: { tool: 'list-notes', hint: 'Reads the notes.' },
  services: { notes },
  async resolve({ args, ctx, use }) {
    const rows = await use.notes.list(ctx.tx);
    return rows
      .filter((row) => row.text.startsWith(args.starting_with ?? ''))
      .map((row) => ({ id: row.id, note_text: row.text, due: '2026-03-31' }));
  },
});

const listener = defineJob({
  name: 'hear-notes',
  summary: 'Remembers what was added.',
  on: noteAdded,
  maxSeconds: 10,
  async handle({ payload }) {
    heard.push(payload.id);
  },
});

export const notesPlugin: Plugin = definePlugin({
  name: 'notes',
  title: 'Notes',
  version: '1.0.0',
  kernel: '^0.1.0',
  domain: 'notes',
  migrations: new URL('./notes-migrations/', import.meta.url),
  providers: [
    provide(notes, {
      create: (): Notes => ({
        add: async (tx, graphId, id, text) => {
          await tx.query(sql`INSERT INTO notes_note (graph_id, id, text) VALUES (${graphId}, ${id}, ${text})`);
        },
        list: (tx) =>
          tx.query(sql<{ id: string; text: string }>`SELECT id, text FROM notes_note ORDER BY id LIMIT 1000`),
      }),
    }),
  ],
  operations: [addNote, bindNotebook, copyNotes],
  views: [countNotes],
  queries: [noteList],
  jobs: [listener],
  events: [noteAdded],
});
