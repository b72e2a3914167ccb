import {
  type Caller,
  definePlugin,
  defineTool,
  model,
  ServiceError,
  sql,
  type ToolCall,
  toolCatalog,
} from '@pacioli/core';
import { fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KernelOperationAudit } from '../src/rows.gen.ts';
import { notesPlugin } from './notes-plugin.ts';

const clock = fixedClock('2026-03-02T09:00:00Z');
const isFailing = false;
const isShelfOn = true;

/** A plugin with hand-written tools. */
const shelfPlugin = definePlugin({
  name: 'shelf',
  title: 'Shelf',
  version: '1.0.0',
  kernel: '^0.1.0',
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
      isOn: () => isShelfOn,
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
        if (isFailing) throw new ServiceError('unavailable', 'SHELF_BROKEN', 'The shelf is broken.');
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

let service: TestService;
let graphId: string;
let owner: Caller;
let viewer: Caller;

beforeAll(async () => {
  service = await startTestService({ plugins: [notesPlugin, shelfPlugin], clock });
  const user: TestClient = await service.newUser('Ann');
  graphId = await user.createGraph('Notes', ['notes']);
  const { rows } = await membersOf(graphId);
  owner = { userId: rows, email: '', name: 'Ann', credential: 'api_key', keyPrefix: 'rfs12345' };
  viewer = { ...owner, userId: 'user_viewer', keyPrefix: 'rfs99999' };
  await service.store.transaction('kernel', (tx) =>
    tx.query(
      sql`INSERT INTO kernel_graph_user (graph_id, user_id, role, created_at) VALUES (${graphId}, ${viewer.userId}, 'viewer', now())`,
    ),
  );
});
afterAll(() => service.close());

async function membersOf(graph: string): Promise<{ rows: string }> {
  const [row] = await service.store.transaction('kernel', (tx) =>
    tx.query(sql<{ user_id: string }>`SELECT user_id FROM kernel_graph_user WHERE graph_id = ${graph} LIMIT 1`),
  );
  return { rows: row?.user_id ?? '' };
}

const catalog = () => service.service.services.resolve(toolCatalog);
const namesFor = async (caller: Caller, profile?: string): Promise<readonly string[]> =>
  (await catalog().list({ caller, graphId, ...(profile === undefined ? {} : { profile }) })).map(({ name }) => name);
const call = (name: string, given: unknown = {}, more: Partial<ToolCall> = {}) =>
  catalog().call({
    caller: owner,
    graphId,
    name,
    arguments: given,
    source: 'mcp',
    signal: new AbortController().signal,
    ...more,
  });

describe('the catalog of tools', () => {
  it('lists x', async () => {
    console.log(await namesFor(owner), await namesFor(viewer));
    console.log(JSON.stringify(await catalog().list({ caller: owner, graphId }), undefined, 1));
    console.log(
      await call('add-note', { text: 'a' }),
      await call('copy-notes', { steps: 2 }),
      await call('count-notes'),
      await call('count-shelf'),
      await call('fill-shelf', { id: 'n1' }),
      await call('fill-shelf', { id: 'n2', fails: true }),
    );
    console.log(
      await call('bind-notebook', { notebook_id: 'x' }),
      await call('bind-notebook', {}),
      await call('add-note', { graph_id: 'x' }),
      await call('nope'),
      await call('query-graphql', { query: '{ noteList { id noteText } }' }),
      await call('get-graphql-schema', { type: 'Query' }),
    );
    const rows = await service.store.transaction('kernel', (tx) =>
      tx.query(sql<KernelOperationAudit>`SELECT * FROM kernel_operation_audit WHERE surface = 'mcp'`),
    );
    console.log(rows);
  });
});
