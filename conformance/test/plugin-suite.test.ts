// Goal: the suite of plugins finds faults. Method: one plugin has each of them, beside a part without it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  defineEvent,
  defineField,
  defineJob,
  defineOperation,
  definePlugin,
  defineQuery,
  model,
  type Plugin,
  ServiceError,
  sql,
} from '@pacioli/core';
import { openTestStore } from '@pacioli/testing';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { declaredErrors, SeenErrors } from '../src/plugin-suite/declared-errors.ts';
import { testDisabledPlugin } from '../src/plugin-suite/disabled-plugin.ts';
import { exampleCases } from '../src/plugin-suite/example-cases.ts';
import { type PluginSet, startSet } from '../src/plugin-suite/plugin-set.ts';
import { testFieldTenants, testQueryTenants } from '../src/plugin-suite/query-tenants.ts';
import { testRepeatedEvents } from '../src/plugin-suite/repeated-events.ts';
import { samplesOf } from '../src/plugin-suite/sample-parents.ts';
import { testUpgrade } from '../src/plugin-suite/upgrade.ts';
import { runCase } from '../src/run-case.ts';
import { RunResources } from '../src/run-resources.ts';
import { servedOf } from '../src/served.ts';

const table = `
CREATE TABLE faults_note (graph_id text NOT NULL, id text NOT NULL, PRIMARY KEY (graph_id, id));
ALTER TABLE faults_note ENABLE ROW LEVEL SECURITY;
ALTER TABLE faults_note FORCE ROW LEVEL SECURITY;
CREATE POLICY own_graph ON faults_note USING (graph_id = current_setting('pacioli.graph_id', true));
CREATE POLICY kernel_reads ON faults_note FOR SELECT USING (current_setting('pacioli.scope', true) = 'kernel');
CREATE FUNCTION faults_count_of_all() RETURNS integer LANGUAGE sql STABLE SET pacioli.scope = 'kernel'
  AS 'SELECT count(*)::int FROM faults_note';`;

const noted = defineEvent('faults.noted', model('FaultsNoted', { graph_id: Type.String(), id: Type.String() }));
const note = model('FaultsNote', { id: Type.String() });
const ofAll = model('FaultsArgs', {});

/** A field that counts the notes of the parent's id in a table. */
const counted = (name: string, of: string) =>
  defineField({
    on: 'FaultsNote',
    name,
    summary: 'The number of notes with the id.',
    returns: Type.Integer(),
    resolve: async ({ parents, ctx }) => {
      const rows = await ctx.tx.query(sql<{ count: number }>`SELECT ${sql.raw(of)} AS count`);
      return parents.map(({ id }) => (id === 'sample' ? rows[0]?.count : 0));
    },
  });

function faultyPlugin(migrations: URL): Plugin {
  const job = (name: string, id: (count: number) => string) =>
    defineJob({
      name,
      summary: 'Notes the event.',
      on: noted,
      maxSeconds: 10,
      handle: async ({ payload, ctx }) => {
        await ctx.store.transaction({ graphId: payload.graph_id }, async (tx) => {
          const [row] = await tx.query(sql<{ count: number }>`SELECT count(*)::int AS count FROM faults_note`);
          await tx.query(sql`INSERT INTO faults_note (graph_id, id)
            VALUES (${payload.graph_id}, ${id(row?.count ?? 0)}) ON CONFLICT DO NOTHING`);
        });
      },
    });
  return definePlugin({
    name: 'faults',
    title: 'Faults',
    version: '1.0.0',
    kernel: '^0.1.0',
    domain: 'faults',
    migrations,
    tables: { faults_note: { kernelScope: 'read' } },
    kernelScopeFunctions: ['faults_count_of_all'],
    events: [noted],
    jobs: [job('repeats', (count) => `row ${count}`), job('notes-once', () => 'the event')],
    queries: [
      defineQuery({
        name: 'ownNotes',
        summary: 'The notes of the graph.',
        returns: Type.Array(Type.String()),
        resolve: async ({ ctx }) =>
          (await ctx.tx.query(sql<{ id: string }>`SELECT id FROM faults_note ORDER BY id`)).map(({ id }) => id),
      }),
      defineQuery({
        name: 'everybodysNotes',
        summary: 'The notes of all graphs.',
        returns: Type.Integer(),
        resolve: async ({ ctx }) => {
          const [row] = await ctx.tx.query(sql<{ count: number }>`SELECT faults_count_of_all() AS count`);
          return row?.count ?? 0;
        },
      }),
      defineQuery({
        name: 'anyNote',
        summary: 'A note.',
        returns: note,
        resolve: async () => ({ id: 'any' }),
      }),
    ],
    fields: [
      counted('owned', '(SELECT count(*)::int FROM faults_note)'),
      counted('everybodys', 'faults_count_of_all()'),
    ],
    operations: [
      defineOperation({
        name: 'note-fault',
        summary: 'Does nothing.',
        role: 'member',
        openapi: { id: 'note_fault', tag: 'faults' },
        mcp: { held: 'Only for tests.' },
        input: model('NoteFaultRequest', { note: Type.Optional(Type.Array(Type.String())) }),
        output: model('NoteFaultResponse', { ids: Type.Array(Type.String()) }),
        errors: {
          NEVER_ANSWERED: { kind: 'conflict', meaning: 'It is declared, and nothing answers it.' },
          PASSED_ON: { kind: 'conflict', meaning: 'That of another package.', testedBy: '@pacioli/ledger' },
        },
        examples: [
          { input: {} },
          { input: {}, fails: 'NEVER_ANSWERED' },
          { input: {}, given: 'a full moon' },
          {
            input: { note: ['{{note-fault.ids.1}}'] },
            given: [
              { operation: 'note-fault', input: { note: ['a', 'b'] } },
              { operation: 'note-fault', input: { note: ['{{note-fault.ids.0}}', 'c'] } },
            ],
          },
          { input: { note: ['{{note-fault.ids.0}}'] } },
          { input: {}, given: [{ operation: 'nothing-such', input: {} }] },
        ],
        handle: async ({ input }) => ({ ids: input.note ?? [] }),
      }),
      defineOperation({
        name: 'refuse-fault',
        summary: 'Refuses with an error that it does not declare.',
        role: 'member',
        openapi: { id: 'refuse_fault', tag: 'faults' },
        mcp: { held: 'Only for tests.' },
        input: ofAll,
        output: model('RefuseFaultResponse', {}),
        examples: [{ input: {} }],
        handle: async () => {
          throw new ServiceError('conflict', 'UNDECLARED', 'The operation always refuses.');
        },
      }),
    ],
  });
}

let folder: string;
let set: PluginSet;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pacioli-faults-'));
  await writeFile(join(folder, '0001-note.sql'), table);
  await writeFile(join(folder, '0002-forget.sql'), 'TRUNCATE faults_note;');
  set = { plugin: faultyPlugin(pathToFileURL(`${folder}/`)), others: [], aliases: {}, samples: {} };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the suite of plugins', () => {
  it('finds a query that answers with rows of another graph, and a job that repeats its work', async () => {
    const service = await startSet(set);
    try {
      expect(await testQueryTenants(set, service)).toEqual({
        ownNotes: 'isolated',
        everybodysNotes: expect.stringContaining('rows of another graph change its answer'),
        anyNote: 'isolated',
      });
      expect(await testRepeatedEvents(set, service, {})).toEqual({
        repeats: 'a second delivery of faults.noted changes faults_note',
        'notes-once': expect.anything(),
      });
    } finally {
      await service.close();
    }
  });

  it('finds a field that answers with rows of another graph, on sample objects of its type', async () => {
    const service = await startSet({ ...set, others: [samplesOf(set)] });
    try {
      expect(await testFieldTenants(set, service)).toEqual({
        'FaultsNote.owned': 'isolated',
        'FaultsNote.everybodys': expect.stringContaining('rows of another graph change its answer'),
      });
    } finally {
      await service.close();
    }
  });

  it('runs examples, and finds an error that none of them provokes, and one that is not declared', async () => {
    const service = await startSet(set);
    try {
      const errors = new SeenErrors();
      const served = servedOf(service.service.openapi, service.service.sdl);
      const resources = new RunResources(service.url, served, undefined, {
        answered: (answer) => errors.observe(answer),
      });
      const results = await Promise.all(exampleCases(set.plugin).map((each) => runCase(resources, each)));
      expect(results.map(({ id, outcome }) => [id, outcome])).toEqual([
        ['EXA-001 note-fault', 'passed'],
        ['EXA-002 note-fault', 'failed'],
        ['EXA-004 note-fault', 'passed'],
        ['EXA-005 note-fault', 'failed'],
        ['EXA-006 note-fault', 'failed'],
        ['EXA-001 refuse-fault', 'failed'],
      ]);
      expect(errors.internal(set.plugin)).toEqual(['refuse-fault']);
      expect(declaredErrors(set.plugin).filter((error) => !errors.has(error))).toEqual(['note-fault NEVER_ANSWERED']);
    } finally {
      await service.close();
    }
  });

  it('finds a migration that removes the rows of the last release', async () => {
    const { store, dispose } = await openTestStore();
    try {
      const { before, after } = await testUpgrade(set, store, '0001-note.sql');
      expect({ before, after }).toEqual({ before: { faults_note: '1' }, after: { faults_note: '0' } });
    } finally {
      await dispose();
    }
  });

  it('finds rows that another plugin removed while the plugin was absent', async () => {
    const { store, dispose } = await openTestStore();
    const cleaner = definePlugin({
      name: 'cleaner',
      title: 'Cleaner',
      version: '1.0.0',
      kernel: '^0.1.0',
      start: async () => {
        starts += 1;
        if (starts !== 2) return;
        const graphs = await store.transaction('kernel', (tx) =>
          tx.query(sql<{ graph_id: string }>`SELECT graph_id FROM faults_note`),
        );
        for (const { graph_id: graphId } of graphs)
          await store.transaction({ graphId }, (tx) => tx.query(sql`DELETE FROM faults_note`));
      },
    });
    let starts = 0;
    try {
      const { before, whileDisabled, statuses } = await testDisabledPlugin({ ...set, others: [cleaner] }, store);
      expect([before, whileDisabled]).toEqual([
        { faults_note: expect.stringMatching(/^1 rows/) },
        { faults_note: expect.stringMatching(/^0 rows/) },
      ]);
      expect(statuses).toEqual({ 'note-fault': 404, 'refuse-fault': 404 });
    } finally {
      await dispose();
    }
  });
});
