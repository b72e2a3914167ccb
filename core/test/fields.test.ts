// Goal: a plugin adds fields to a type of another plugin. Method: fields on the notes of the test domain that count
// their calls; a graph with several notes, one without the domain of the fields, and callers of two roles.
import {
  defineField,
  defineQuery,
  type GraphRole,
  type Log,
  model,
  nullable,
  type Plugin,
  ServiceError,
  sql,
} from '@pacioli/core';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { Type } from 'typebox';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../src/assembly/host-services.ts';
import type { Person } from '../src/own-identity/directory.ts';
import { ownIdentity } from '../src/own-identity/own-identity.ts';
import { notesPlugin } from './notes-plugin.ts';
import { plugin } from './set-fixture.ts';

const texts = ['alpha', 'beta', 'gamma'];
/** The calls of the fields, as the parents that each received. */
const calls: (readonly unknown[])[] = [];

const mark = model('Mark', { letter: Type.String(), count: Type.Integer() });

const length = defineField({
  on: 'Note',
  name: 'textLength',
  summary: 'The length of the text.',
  parent: Type.Object({ note_text: Type.String() }),
  args: model('TextLengthArgs', { plus: Type.Optional(Type.Integer()) }),
  returns: Type.Integer(),
  cost: { points: 30 },
  resolve: async ({ parents, args }) => {
    calls.push(parents);
    return parents.map(({ note_text: text }) => text.length + (args.plus ?? 0));
  },
});

/** Read in the transaction of the request; the last parent has none. */
const marks = defineField({
  on: 'Note',
  name: 'mark',
  summary: 'The first letter of the text, with the number of notes.',
  returns: mark,
  resolve: async ({ parents, ctx }) => {
    calls.push(parents);
    const ids = parents.map(({ id }) => id);
    const rows = await ctx.tx.query(sql<{ id: string; letter: string; count: number }>`
      SELECT id, left(text, 1) AS letter, (SELECT count(*)::int FROM notes_note) AS count
      FROM notes_note WHERE id = ANY(${ids})`);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id, index) => (index === ids.length - 1 ? undefined : byId.get(id)));
  },
});

const upper = defineField({
  on: 'Mark',
  name: 'upper',
  summary: 'The letter in upper case.',
  parent: Type.Object({ letter: Type.String() }),
  returns: Type.String(),
  resolve: async ({ parents }) => parents.map(({ letter }) => letter.toUpperCase()),
});

const refused = defineField({
  on: 'Note',
  name: 'refused',
  summary: 'Is refused.',
  returns: Type.Integer(),
  resolve: async () => {
    throw new ServiceError('conflict', 'NOT_NOW', 'Not now.');
  },
});

const misaligned = defineField({
  on: 'Note',
  name: 'misaligned',
  summary: 'Returns too few values.',
  returns: Type.Integer(),
  resolve: async () => [1],
});

const forAdmins = defineField({
  on: 'Note',
  name: 'secret',
  summary: 'For admins.',
  role: 'admin',
  returns: Type.String(),
  resolve: async ({ parents }) => parents.map(({ id }) => `secret of ${id}`),
});

const queryForAdmins = defineQuery({
  name: 'secrets',
  summary: 'For admins.',
  role: 'admin',
  returns: nullable(Type.String()),
  resolve: async () => 'all secrets',
});

const many = defineQuery({
  name: 'many',
  summary: 'Rows.',
  args: model('ManyArgs', { rows: Type.Integer() }),
  returns: Type.Array(model('Row', { id: Type.String() })),
  resolve: async ({ args }) => Array.from({ length: args.rows }, (_each, index) => ({ id: `row ${index}` })),
});

const echo = defineField({
  on: 'Row',
  name: 'echo',
  summary: 'The id.',
  returns: Type.String(),
  resolve: async ({ parents }) => {
    calls.push(parents);
    return parents.map(({ id }) => id);
  },
});

const fields: Plugin = plugin('marks', {
  domain: 'marks',
  dependsOn: ['notes'],
  queries: [queryForAdmins, many],
  fields: [echo, length, marks, upper, refused, misaligned, forAdmins],
});

const errors: string[] = [];
const log: Log = {
  ...silentLog,
  error: (_message, facts) => void errors.push(String((facts as { error?: unknown } | undefined)?.error)),
};
const graphRoles: { graphId: string; role: GraphRole }[] = [];
const org = { id: 'org_mill', name: 'Mill' };
let service: TestService;
let admin: TestClient;
let viewer: TestClient;
let graphId: string;

beforeAll(async () => {
  const people = new Map<string, Person>([
    ['ann', { userId: 'ann', email: 'ann@example.org', name: 'Ann', org: { ...org, role: 'owner' } }],
    ['vic', { userId: 'vic', email: 'vic@example.org', name: 'Vic', org: { ...org, role: 'member' }, graphRoles }],
  ]);
  const identity = ownIdentity({ findPerson: async ({ secret }) => people.get(secret) });
  service = await startTestService({ plugins: [notesPlugin, fields], identity, log });
  admin = service.anonymous.withHeaders({ authorization: 'Bearer ann' });
  viewer = service.anonymous.withHeaders({ authorization: 'Bearer vic' });
  graphId = await graphWithNotes(['notes', 'marks']);
  graphRoles.push({ graphId, role: 'viewer' });
});
afterAll(() => service.close());
beforeEach(() => {
  calls.length = 0;
  errors.length = 0;
});

async function graphWithNotes(domains: readonly string[]): Promise<string> {
  const id = await admin.createGraph('Notes', domains);
  for (const text of texts) await admin.post(`/extensions/notes/${id}/operations/add-note`, { text });
  return id;
}

async function read(query: string, on = graphId, caller = admin) {
  const { body } = await caller.graphql(on, query);
  return { data: body.data, errors: body.errors?.map((error: object) => ({ ...error, locations: undefined })) };
}

describe('a field of a plugin', () => {
  it('is resolved once for all parents, with fields that the request does not select (platform X-3a)', async () => {
    const { data, errors: failed } = await read('{ noteList { noteText textLength mark { letter count upper } } }');
    expect(failed).toBeUndefined();
    expect(data.noteList).toEqual([
      { noteText: 'alpha', textLength: 5, mark: { letter: 'a', count: 3, upper: 'A' } },
      { noteText: 'beta', textLength: 4, mark: { letter: 'b', count: 3, upper: 'B' } },
      { noteText: 'gamma', textLength: 5, mark: null },
    ]);
    expect(calls).toEqual([
      texts.map((text) => ({ note_text: text })),
      texts.map(() => ({ id: expect.stringMatching(/^note_/) })),
    ]);
  });

  it('is resolved once for each set of arguments, whatever its aliases', async () => {
    const { data } = await read(
      '{ noteList { a: textLength b: textLength(plus: null) c: textLength(plus: 10) } again: noteList { textLength } }',
    );
    expect(data.noteList[0]).toEqual({ a: 5, b: 5, c: 15 });
    expect(data.again[1]).toEqual({ textLength: 4 });
    expect(calls).toHaveLength(2);
  });

  it('is resolved for at most 1,000 parents at a time', async () => {
    await read('{ many(rows: 1000) { echo } }');
    const { data } = await read('{ many(rows: 1001) { echo } }');
    expect(calls.map((parents) => parents.length)).toEqual([1000, 1000, 1]);
    expect(data.many[1000]).toEqual({ echo: 'row 1000' });
  });

  it('rejects arguments of other types', async () => {
    const { errors: failed } = await read('{ noteList { textLength(plus: "ten") } }');
    expect(failed[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  it('is null with one error if it fails, and leaves the other fields', async () => {
    const { data, errors: failed } = await read('{ noteList { noteText refused misaligned textLength } }');
    expect(data.noteList[2]).toEqual({ noteText: 'gamma', refused: null, misaligned: null, textLength: 5 });
    expect(failed).toEqual([
      { message: 'Not now.', path: ['noteList', 0, 'refused'], extensions: { code: 'NOT_NOW' } },
      {
        message: 'Internal error',
        path: ['noteList', 0, 'misaligned'],
        extensions: { code: 'INTERNAL_ERROR', requestId: expect.any(String) },
      },
    ]);
    expect(errors).toEqual([
      'Error: The field Note.misaligned returned 1 values for 3 parents. Return one value for each parent, in the order of the parents.',
    ]);
  });

  it('is null on a graph that was created without its domain', async () => {
    const other = await graphWithNotes(['notes']);
    const { data, errors: failed } = await read('{ noteList { textLength mark { count } } }', other);
    expect([failed, data.noteList[0]]).toEqual([undefined, { textLength: null, mark: null }]);
    expect(calls).toEqual([]);
  });

  it('adds its points to the cost of a request, for each 50 rows (platform E-24)', async () => {
    const aliases = Array.from({ length: 30 }, (_each, index) => `a${index}: textLength(plus: ${index})`).join(' ');
    const within = await read(`{ noteList { ${aliases} } }`);
    expect(within.errors).toBeUndefined();
    const { errors: failed } = await read(`{ ...All } fragment All on Query { noteList { ${aliases} ...Four } }
      fragment Four on Note { textLength mark { upper } secret refused misaligned ... { textLength } }`);
    // 10 of the query, 32 lengths of 30 points and 5 fields of 10.
    expect(failed).toEqual([
      {
        message:
          'The document costs 1020 points, and a request may cost 1000. Ask for fewer fields or smaller pages, or split it into several requests.',
        extensions: { code: 'QUERY_TOO_COMPLEX' },
      },
    ]);
  });

  it('is nullable in the schema, with its summary and arguments', () => {
    expect(service.service.sdl).toContain('  textLength(plus: Int = null): Int\n');
    expect(service.service.sdl).toContain('  """The length of the text."""\n');
  });
});

describe('the role of a field or query', () => {
  it('is required of the caller (platform P-10)', async () => {
    const query = '{ secrets noteList { secret } }';
    expect((await read(query)).errors).toBeUndefined();
    const { data, errors: failed } = await read(query, graphId, viewer);
    expect(data).toEqual({ secrets: null, noteList: texts.map(() => ({ secret: null })) });
    expect(failed.map(({ path, extensions }: { path: unknown; extensions: object }) => [path, extensions])).toEqual([
      [['secrets'], { code: expect.any(String) }],
      [['noteList', 0, 'secret'], { code: expect.any(String) }],
    ]);
    expect(errors).toEqual([]);
  });
});
