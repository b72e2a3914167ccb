import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffSchema, schemaPair } from './diff-schema.ts';
import { describeDifference } from './difference.ts';

/** Compares a schema of the contract with one of a deployment; `documents` define the schemas that they refer to. */
function differences(expected: unknown, actual: unknown, documents: readonly [unknown, unknown] = [{}, {}]): string[] {
  const pair = schemaPair(documents[0], documents[1]);
  return diffSchema(pair, 'id', 'X', { expected, actual }).map(describeDifference);
}

function openApiWith(schemas: Readonly<Record<string, unknown>>): unknown {
  return { components: { schemas } };
}

const scalarSchema = fc.oneof(
  fc.constantFrom<unknown>({ type: 'string' }, { type: 'integer' }, { type: 'boolean' }, {}),
  fc.record({ type: fc.constant('string'), enum: fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 4 }) }),
  fc.record({ type: fc.constant('string'), format: fc.constantFrom('date', 'date-time') }),
);
const anySchema = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 3 }, scalarSchema, tie('object'), tie('list'), tie('nullable')),
  object: fc.record({
    type: fc.constant('object'),
    properties: fc.dictionary(fc.string({ maxLength: 5 }), tie('any'), { maxKeys: 4 }),
  }),
  list: fc.record({ type: fc.constant('array'), items: tie('any') }),
  nullable: tie('any').map((schema) => ({ anyOf: [schema, { type: 'null' }] })),
})).any;

/** Reverses the order of the keys at every depth, which leaves the schema equivalent. */
function withReversedKeys(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withReversedKeys);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .reverse()
      .map(([key, value]) => [key, withReversedKeys(value)]),
  );
}

describe('diffSchema', () => {
  it('finds no difference between a schema and the same schema with its keys in another order', () => {
    fc.assert(
      fc.property(anySchema, (schema) => {
        expect(differences(schema, withReversedKeys(schema))).toEqual([]);
      }),
    );
  });

  it('reports a field that became an array, whatever its type', () => {
    fc.assert(
      fc.property(anySchema, (schema) => {
        const single = { type: 'object', properties: { field: schema } };
        const many = { type: 'object', properties: { field: { type: 'array', items: schema } } };
        expect(differences(single, many).length).toBeGreaterThan(0);
      }),
    );
  });

  it('treats all notations of a nullable string as equal, whatever their title, description or null default', () => {
    const forms = [
      { type: ['string', 'null'], format: 'date' },
      { type: ['null', 'string'], format: 'date' },
      { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] },
      { oneOf: [{ type: 'null' }, { type: 'string', format: 'date' }], title: 'A day', description: 'Prose.' },
      { anyOf: [{ allOf: [{ type: 'string', format: 'date' }] }, { type: 'null' }], default: null },
    ];
    for (const form of forms) for (const other of forms) expect(differences(form, other)).toEqual([]);
    expect(differences(forms[0], { type: 'string', format: 'date' })).toEqual(['missing X alternative: expected null']);
  });

  it('treats const as an enum of one value, and an absent additionalProperties as true', () => {
    expect(differences({ const: 'a' }, { enum: ['a'] })).toEqual([]);
    expect(differences({ type: 'object' }, { type: 'object', additionalProperties: true })).toEqual([]);
    expect(differences({ type: 'object' }, { type: 'object', additionalProperties: false })).toEqual([
      'X additional properties: expected any, got none',
    ]);
    const map = { type: 'object', additionalProperties: { type: 'integer' } };
    expect(differences(map, { type: 'object', additionalProperties: { type: 'string' } })).toEqual([
      'X additional properties: expected integer, got string',
    ]);
  });

  it('follows a reference if the other side refers to another name or has the schema inline', () => {
    const inner = { type: 'object', properties: { a: { type: 'string' } } };
    const documents = [
      openApiWith({ Inner: inner }),
      openApiWith({ Other: { ...inner, properties: { a: { type: 'integer' } } } }),
    ] as const;
    const reference = { $ref: '#/components/schemas/Inner' };
    expect(differences(reference, inner, documents)).toEqual([]);
    expect(differences(reference, { $ref: '#/components/schemas/Other' }, documents)).toEqual([
      'X.a: expected string, got integer',
    ]);
  });

  it('terminates for recursive schemas that have different names on the two sides', () => {
    const tree = (name: string): unknown => ({
      type: 'object',
      properties: { children: { type: 'array', items: { $ref: `#/components/schemas/${name}` } } },
    });
    const documents = [openApiWith({ Tree: tree('Tree') }), openApiWith({ Node: tree('Node') })] as const;
    const found = differences({ $ref: '#/components/schemas/Tree' }, { $ref: '#/components/schemas/Node' }, documents);
    expect(found).toEqual([]);
  });

  it('allows a deployment to add a limit that the contract does not state, except a format', () => {
    expect(differences({ type: 'string' }, { type: 'string', minLength: 1 })).toEqual([]);
    expect(differences({ type: 'string', minLength: 2 }, { type: 'string', minLength: 1 })).toEqual([
      'X minLength: expected 2, got 1',
    ]);
    expect(differences({ type: 'string' }, { type: 'string', format: 'uri' })).toEqual([
      'X format: expected none, got "uri"',
    ]);
  });
});
