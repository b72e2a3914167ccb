import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffSchema, schemaPair } from './diff-schema.ts';
import { describeDifference } from './difference.ts';

function problems(expected: unknown, actual: unknown, documents: readonly [unknown, unknown] = [{}, {}]): string[] {
  const pair = schemaPair(documents[0], documents[1]);
  return diffSchema(pair, 'id', 'X', { expected, actual }).map(describeDifference);
}

function named(schemas: Readonly<Record<string, unknown>>): unknown {
  return { components: { schemas } };
}

const leaf = fc.oneof(
  fc.constantFrom<unknown>({ type: 'string' }, { type: 'integer' }, { type: 'boolean' }, {}),
  fc.record({ type: fc.constant('string'), enum: fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 4 }) }),
  fc.record({ type: fc.constant('string'), format: fc.constantFrom('date', 'date-time') }),
);
const aSchema = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 3 }, leaf, tie('object'), tie('list'), tie('nullable')),
  object: fc.record({
    type: fc.constant('object'),
    properties: fc.dictionary(fc.string({ maxLength: 5 }), tie('any'), { maxKeys: 4 }),
  }),
  list: fc.record({ type: fc.constant('array'), items: tie('any') }),
  nullable: tie('any').map((schema) => ({ anyOf: [schema, { type: 'null' }] })),
})).any;

/** The same schema with reversed keys and additional prose. */
function rewritten(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(rewritten);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .reverse()
      .map(([key, value]) => [key, rewritten(value)]),
  );
}

describe('diffSchema', () => {
  it('finds no difference between a schema and itself, whatever its key order', () => {
    fc.assert(
      fc.property(aSchema, (schema) => {
        expect(problems(schema, rewritten(schema))).toEqual([]);
      }),
    );
  });

  it('finds a field that has become a list, whatever its type', () => {
    fc.assert(
      fc.property(aSchema, (schema) => {
        const single = { type: 'object', properties: { field: schema } };
        const many = { type: 'object', properties: { field: { type: 'array', items: schema } } };
        expect(problems(single, many).length).toBeGreaterThan(0);
      }),
    );
  });

  it('treats every notation of a nullable text as equal', () => {
    const forms = [
      { type: ['string', 'null'], format: 'date' },
      { type: ['null', 'string'], format: 'date' },
      { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] },
      { oneOf: [{ type: 'null' }, { type: 'string', format: 'date' }], title: 'A day', description: 'Prose.' },
      { anyOf: [{ allOf: [{ type: 'string', format: 'date' }] }, { type: 'null' }], default: null },
    ];
    for (const form of forms) for (const other of forms) expect(problems(form, other)).toEqual([]);
    expect(problems(forms[0], { type: 'string', format: 'date' })).toEqual(['missing X alternative: expected null']);
  });

  it('treats a constant as an enumeration of one, and an open object as one without further rules', () => {
    expect(problems({ const: 'a' }, { enum: ['a'] })).toEqual([]);
    expect(problems({ type: 'object' }, { type: 'object', additionalProperties: true })).toEqual([]);
    expect(problems({ type: 'object' }, { type: 'object', additionalProperties: false })).toEqual([
      'X additional properties: expected any, got none',
    ]);
    const map = { type: 'object', additionalProperties: { type: 'integer' } };
    expect(problems(map, { type: 'object', additionalProperties: { type: 'string' } })).toEqual([
      'X additional properties: expected integer, got string',
    ]);
  });

  it('compares the referenced schema where the other side uses another name, or none', () => {
    const inner = { type: 'object', properties: { a: { type: 'string' } } };
    const documents = [
      named({ Inner: inner }),
      named({ Other: { ...inner, properties: { a: { type: 'integer' } } } }),
    ] as const;
    const reference = { $ref: '#/components/schemas/Inner' };
    expect(problems(reference, inner, documents)).toEqual([]);
    expect(problems(reference, { $ref: '#/components/schemas/Other' }, documents)).toEqual([
      'X.a: expected string, got integer',
    ]);
  });

  it('terminates for recursive schemas with different names', () => {
    const tree = (name: string): unknown => ({
      type: 'object',
      properties: { children: { type: 'array', items: { $ref: `#/components/schemas/${name}` } } },
    });
    const documents = [named({ Tree: tree('Tree') }), named({ Node: tree('Node') })] as const;
    const found = problems({ $ref: '#/components/schemas/Tree' }, { $ref: '#/components/schemas/Node' }, documents);
    expect(found).toEqual([]);
  });

  it('lets a deployment add a limit that the contract does not state, but no format', () => {
    expect(problems({ type: 'string' }, { type: 'string', minLength: 1 })).toEqual([]);
    expect(problems({ type: 'string', minLength: 2 }, { type: 'string', minLength: 1 })).toEqual([
      'X minLength: expected 2, got 1',
    ]);
    expect(problems({ type: 'string' }, { type: 'string', format: 'uri' })).toEqual([
      'X format: expected none, got "uri"',
    ]);
  });
});
