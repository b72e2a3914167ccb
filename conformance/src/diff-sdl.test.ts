import fc from 'fast-check';
import { buildSchema, isObjectType, parse, print, visit } from 'graphql';
import { describe, expect, it } from 'vitest';
import { readContract } from './contract.ts';
import { diffSdl } from './diff-sdl.ts';
import { describeDifference } from './difference.ts';

const sdl = readContract().sdl;
const contract = buildSchema(sdl);

function problems(actual: string): readonly string[] {
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

/** The contract's SDL with one field changed or, if `edit` returns null, removed. */
function edited(typeName: string, fieldName: string, edit: (text: string) => string | null): string {
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
    expect(problems(reordered)).toEqual([]);
  });

  it('finds any removed field', () => {
    fc.assert(
      fc.property(fc.constantFrom(...fields), ([type, field]) => {
        fc.pre(fields.filter(([name]) => name === type).length > 1); // A type must keep at least one field.
        const where =
          type === 'Query' ? `sdl:Query.${field} :: missing query` : `sdl:type ${type} :: missing type ${type} field`;
        expect(problems(edited(type, field, () => null))).toContain(`${where} ${field}`);
      }),
      { numRuns: 30 },
    );
  });

  it('finds any field whose type or nullability has changed', () => {
    fc.assert(
      fc.property(fc.constantFrom(...fields), ([type, field]) => {
        const other = edited(type, field, (text) => (text.endsWith('!') ? text.slice(0, -1) : `${text}!`));
        const where =
          type === 'Query' ? `sdl:Query.${field} :: query ${field}` : `sdl:type ${type} :: type ${type} field ${field}`;
        expect(problems(other).some((text) => text.startsWith(`${where}: expected`))).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it('treats a default of null as no default, and compares any other default', () => {
    expect(problems(sdl.replaceAll(' = null', ''))).toEqual([]);
    expect(problems(sdl.replace('isActive: Boolean = true', 'isActive: Boolean'))).toEqual([
      'sdl:Query.agents :: query agents argument isActive: expected Boolean = true, got Boolean',
    ]);
  });

  it('reports a mutation, because the contract has none (platform E-25)', () => {
    expect(problems(`${sdl}\ntype Mutation { close: Boolean }`)).toEqual([
      'sdl:mutation :: not in the contract: mutation type',
    ]);
  });

  it('does not report the types of a query that is missing', () => {
    const found = problems('type Query { hello: String! }');
    expect(found.every((text) => text.includes(':: missing query '))).toBe(true);
    expect(found).toHaveLength(Object.keys(contract.getQueryType()?.getFields() ?? {}).length - 1);
  });
});
