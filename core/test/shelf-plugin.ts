import { defineOperation, definePlugin, defineTool, model, ServiceError, sql } from '@pacioli/core';
import { Type } from 'typebox';

/** The state of the shelf, which a test changes and restores. */
export const shelf = { isFailing: false, isOn: true };

/** A plugin with hand-written tools. */
export const shelfPlugin = definePlugin({
  name: 'shelf',
  title: 'Shelf',
  version: '1.0.0',
  kernel: '^0.1.0',
  operations: [
    defineOperation({
      name: 'label-shelf',
      summary: 'Labels the shelf.',
      role: 'member',
      openapi: { id: 'label_shelf', tag: 'shelf' },
      mcp: { hint: 'Labels it.', omits: ['author'], isOn: () => shelf.isOn },
      input: model('LabelShelf', { label: Type.String(), author: Type.Optional(Type.String()) }),
      output: model('LabeledShelf', { surface: Type.String(), prepared: Type.String() }),
      prepare: async ({ ctx }) => ctx.surface,
      handle: async ({ ctx, prepared }) => ({ surface: ctx.surface, prepared: String(prepared) }),
    }),
  ],
  tools: [
    defineTool({
      name: 'count-shelf',
      title: 'Count the shelf',
      description: 'Counts what is on the shelf.',
      role: 'viewer',
      effect: 'read',
      input: model(
        'CountShelf',
        { size: Type.Optional(Type.Integer({ minimum: 1, maximum: 300_000 })) },
        { closed: true },
      ),
      output: model('ShelfCount', { count: Type.Integer(), tax_id: Type.String() }),
      isOn: () => shelf.isOn,
      handle: async ({ input }) => ({ count: input.size ?? 0, tax_id: '12-3456789' }),
    }),
    defineTool({
      name: 'print-shelf',
      title: 'Print the shelf',
      description: 'Prints a text of a length.',
      role: 'viewer',
      effect: 'read',
      input: model('PrintShelf', { length: Type.Integer() }, { closed: true }),
      handle: async ({ input }) => 'x'.repeat(input.length),
    }),
    defineTool({
      name: 'break-shelf',
      title: 'Break the shelf',
      description: 'Fails while the test says so.',
      role: 'viewer',
      effect: 'read',
      input: model('BreakShelf', {}, { closed: true }),
      errors: { SHELF_BROKEN: { kind: 'unavailable', meaning: 'The shelf is broken.' } },
      handle: async () => {
        if (shelf.isFailing) throw new ServiceError('unavailable', 'SHELF_BROKEN', 'The shelf is broken.');
        return { ok: true };
      },
    }),
    defineTool({
      name: 'fill-shelf',
      title: 'Fill the shelf',
      description: 'Writes a note on the shelf.',
      role: 'viewer',
      effect: 'write',
      input: model('FillShelf', { id: Type.String(), fails: Type.Optional(Type.Boolean()) }, { closed: true }),
      handle: ({ input, ctx }) =>
        ctx.transaction(async (tx) => {
          await tx.query(
            sql`INSERT INTO notes_note (graph_id, id, text) VALUES (${ctx.graph.id}, ${input.id}, 'shelf')`,
          );
          if (input.fails === true) throw new ServiceError('conflict', 'SHELF_FULL', 'The shelf is full.');
          return { id: input.id };
        }),
    }),
  ],
});
