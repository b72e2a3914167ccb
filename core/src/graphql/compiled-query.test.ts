// Goal: a compiled document gives the answer of the library. Method: a schema with one list of rows; a directive that
// includes everything makes the library execute the same selections, and both answers are compared as JSON.
import { Type } from 'typebox';
import { beforeEach, describe, expect, it } from 'vitest';
import { defineQuery } from '../define/query.ts';
import { ServiceError } from '../errors/service-error.ts';
import { model, nullable } from '../schema/model.ts';
import { composeGraphql } from './compose.ts';
import { documentLimits } from './limits.ts';
import type { GraphqlRequest } from './request.ts';

const row = model('Row', {
  row_id: Type.String(),
  count: Type.Integer(),
  rate: nullable(Type.Number()),
  tags: Type.Array(Type.String()),
  parts: Type.Array(model('Part', { name: nullable(Type.String()) })),
});

/** The rows that the query returns; fields may be functions and promises, as in lists that are read when selected. */
let rows: readonly object[] = [];
let reads = 0;

const rowQuery = defineQuery({
  name: 'rows',
  summary: 'Rows.',
  args: model('RowsArgs', { least: Type.Optional(Type.Integer()) }),
  returns: Type.Array(row),
  resolve: async ({ args }) => {
    reads += 1;
    if (args.least === 0) throw new ServiceError('conflict', 'NOT_NOW', 'Not now.');
    return rows as never; // Tests return values that the type forbids.
  },
});

const service = composeGraphql(
  { queries: [{ query: rowQuery, domain: undefined, use: () => ({}) }], fields: [] },
  documentLimits,
);
const unexpected: unknown[] = [];
const request: GraphqlRequest = {
  read: { graph: { extensions: [] } } as unknown as NonNullable<GraphqlRequest['read']>,
  requestId: 'req_1',
  requireRole: () => undefined,
  onInternalError: (error) => void unexpected.push(error),
};

async function answerTo(query: string, more: Partial<Parameters<typeof service.run>[0]> = {}) {
  const answer = JSON.stringify(await service.run({ query, ...more }, request));
  return { text: answer, ...JSON.parse(answer) };
}

const whole = { row_id: 'a', count: 3, rate: null, tags: ['x', 'y'], parts: () => Promise.resolve([{ name: 'p' }]) };

beforeEach(() => {
  rows = [whole, { ...whole, row_id: 'b', rate: 0.5, tags: [], parts: [{ name: null }, {}] }];
  reads = 0;
  unexpected.length = 0;
});

describe('a compiled query', () => {
  const selections = [
    'rowId count rate tags parts { name }',
    'parts { name } rowId',
    '__typename again: rowId rowId parts { __typename }',
    '...Ids ... on Row { parts { name } } parts { title: name }',
  ];
  it.each(selections)('gives the answer of the library to %s', async (fields) => {
    const fragment = 'fragment Ids on Row { rowId count ...Tags } fragment Tags on Row { tags }';
    const document = (directive: string) =>
      `{ rows ${directive} { ${fields} } others: rows(least: 2) { count } } ${fields.includes('...Ids') ? fragment : ''}`;
    const compiled = await answerTo(document(''));
    const { text } = await answerTo(document('@include(if: true)'));
    expect(compiled.text).toBe(text);
    expect([compiled.errors, compiled.data.rows.length]).toEqual([undefined, 2]);
  });

  it('takes variables, and refuses those of another type', async () => {
    const query = 'query Some($least: Int = 0) { rows(least: $least) { rowId } }';
    expect((await answerTo(query, { variables: { least: 1 } })).data.rows).toEqual([{ rowId: 'a' }, { rowId: 'b' }]);
    expect((await answerTo(query)).errors[0].extensions.code).toBe('NOT_NOW');
    expect((await answerTo(query, { variables: { least: 'x' } })).errors[0].extensions.code).toBe(
      'GRAPHQL_VALIDATION_FAILED',
    );
    expect((await answerTo(query, { variables: { least: 1 }, operationName: 'Other' })).errors).toHaveLength(1);
    expect((await answerTo(query, { variables: { least: 1 }, operationName: 'Some' })).data.rows).toHaveLength(2);
  });

  const wrong: readonly (readonly [string, object, readonly (string | number)[]])[] = [
    ['a value that is missing', { row_id: null }, ['rows', 1, 'rowId']],
    ['a value of another type', { count: 1.5 }, ['rows', 1, 'count']],
    ['a list that is not one', { tags: 'x' }, ['rows', 1, 'tags']],
    ['an item that is missing', { tags: ['x', null] }, ['rows', 1, 'tags', 1]],
    ['an error in place of a value', { parts: [new Error('no')] }, ['rows', 1, 'parts', 0]],
    ['a read of a field that fails', { parts: () => Promise.reject(new Error('no')) }, ['rows', 1, 'parts']],
    [
      'a field that throws',
      {
        tags: () => {
          throw new Error('no');
        },
      },
      ['rows', 1, 'tags'],
    ],
  ];
  it.each(wrong)('leaves %s to the library, which reads nothing again', async (_title, change, path) => {
    rows = [whole, { ...whole, ...change }];
    const answer = await answerTo('{ rows { rowId count tags parts { name } } }');
    expect([answer.data, answer.errors.map((error: { path: unknown }) => error.path)]).toEqual([null, [path]]);
    expect(reads).toBe(1);
  });

  it('reports a failed read once for each place, after one call', async () => {
    const answer = await answerTo('{ rows(least: 0) { rowId } again: rows(least: 0) { count } }');
    expect(answer.data).toBeNull();
    expect(answer.errors[0]).toMatchObject({ message: 'Not now.', extensions: { code: 'NOT_NOW' } });
    expect([reads, unexpected]).toEqual([1, []]);
  });

  it('keeps a response key that names the prototype of objects', async () => {
    expect((await answerTo('{ rows { __proto__: rowId count } }')).text).toBe(
      '{"data":{"rows":[{"__proto__":"a","count":3},{"__proto__":"b","count":3}]}}',
    );
  });

  it('answers a document that also reads the schema', async () => {
    const { data } = await answerTo('{ rows { rowId } __type(name: "Part") { name } }');
    expect(data).toEqual({ rows: [{ rowId: 'a' }, { rowId: 'b' }], __type: { name: 'Part' } });
  });
});
