import fc from 'fast-check';
import { buildSchema, isObjectType, parse, print, visit } from 'graphql';
import { describe, expect, it } from 'vitest';
import { readContract } from './contract.ts';
import { diffSdl } from './diff-sdl.ts';
import { describeDifference } from './difference.ts';

const sdl = readContract().sdl;
const contract = buildSchema(sdl);

/** Compares the contract with another SDL; each difference is rendered as `id :: sentence`. */
function differencesFrom(actual: string): readonly string[] {
  return diffSdl(contract, buildSchema(actual)).differences.map(
    (difference) => `${difference.id} :: ${describeDifference(difference)}`,
  );
}

/** Every field of every object type of the contract. */
const fields = Object.values(contract.getTypeMap()).flatMap((type) =>
  isObjectType(type) && !type.name.startsWith('__')
    ? Object.keys(type.getFields()).map((field) => [type.name, field] as const)
    : [],
);

/** Returns the contract's SDL with one field rewritten by `edit` or, if `edit` returns null, removed. */
function contractWithField(typeName: string, fieldName: string, edit: (text: string) => string | null): string {
  const result = visit(parse(sdl), {
    ObjectTypeDefinition: (node) => {
      if (node.name.value !== typeName) return undefined;
      const next = (node.fields ?? []).flatMap((field) => {
        if (field.name.value !== fieldName) return [field];
        const text = edit(print(field));
        if (text === null) return [];
        const [definition] = parse(`type Any { ${text} }`).definitions;
        return definition?.kind === 'ObjectTypeDefinition' ? (definition.fields ?? []) : [];
      });
      return { ...node, fields: next };
    },
  });
  return print(result);
}

describe('diffSdl', () => {
  it('finds no difference between a schema and itself, whatever the order of its types', () => {
    const reordered = sdl.split('\n\n').reverse().join('\n\n');
    expect(differencesFrom(reordered)).toEqual([]);
  });

  it('reports a removed field of any type, a field of Query as a missing query', () => {
    fc.assert(
      fc.property(fc.constantFrom(...fields), ([type, field]) => {
        fc.pre(fields.filter(([name]) => name === type).length > 1); // A type must keep at least one field.
        const expected =
          type === 'Query'
            ? `sdl:Query.${field} :: missing query ${field}`
            : `sdl:type ${type} :: missing type ${type} field ${field}`;
        expect(differencesFrom(contractWithField(type, field, () => null))).toContain(expected);
      }),
      { numRuns: 30 },
    );
  });

  it('reports a field of any type whose nullability has changed', () => {
    fc.assert(
      fc.property(fc.constantFrom(...fields), ([type, field]) => {
        const other = contractWithField(type, field, (text) => (text.endsWith('!') ? text.slice(0, -1) : `${text}!`));
        const where =
          type === 'Query' ? `sdl:Query.${field} :: query ${field}` : `sdl:type ${type} :: type ${type} field ${field}`;
        expect(differencesFrom(other).some((text) => text.startsWith(`${where}: expected`))).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it('treats a default of null as no default, and compares any other default', () => {
    expect(differencesFrom(sdl.replaceAll(' = null', ''))).toEqual([]);
    expect(differencesFrom(sdl.replace('isActive: Boolean = true', 'isActive: Boolean'))).toEqual([
      'sdl:Query.agents :: query agents argument isActive: expected Boolean = true, got Boolean',
    ]);
  });

  it('reports a mutation, because the contract has none (platform E-25)', () => {
    expect(differencesFrom(`${sdl}\ntype Mutation { close: Boolean }`)).toEqual([
      'sdl:mutation :: not in the contract: mutation type',
    ]);
  });

  it('reports a missing query once, without the types that only it returns', () => {
    const found = differencesFrom('type Query { hello: String! }');
    expect(found.every((text) => text.includes(':: missing query '))).toBe(true);
    // The contract has a query `hello` too, so all queries but one are missing.
    expect(found).toHaveLength(Object.keys(contract.getQueryType()?.getFields() ?? {}).length - 1);
  });
});
