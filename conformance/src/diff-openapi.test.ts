import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readContract } from './contract.ts';
import { diffOpenapi, operationsOf } from './diff-openapi.ts';
import { describeDifference } from './difference.ts';
import { isObject, type JsonObject, objectOf, textsOf } from './json.ts';

const whole = readContract().openapi;
/** Tags of the contract that cover all of its notations, because the whole contract would make each run slow. */
const tags = ['graphs', 'graph_members', 'user', 'operations', 'status'];
const contract = partOf(whole);
const reachable = namesReached(contract);

function partOf(document: unknown): JsonObject {
  const paths = Object.entries(at(document, ['paths'])).map(([path, item]) => {
    const kept = Object.entries(objectOf(item)).filter(([, operation]) =>
      tags.includes(textsOf(objectOf(operation)['tags'])[0] ?? ''),
    );
    return [path, Object.fromEntries(kept)] as const;
  });
  const named = { paths: Object.fromEntries(paths), components: at(document, ['components']) };
  const used = namesReached(named);
  const schemas = Object.entries(at(document, ['components', 'schemas'])).filter(([name]) => used.includes(name));
  return { ...named, components: { schemas: Object.fromEntries(schemas) } };
}

function namesReached(document: unknown): readonly string[] {
  const { ids } = diffOpenapi(document, document);
  return ids.flatMap((id) => (id.startsWith('openapi:schema ') ? [id.slice('openapi:schema '.length)] : []));
}

/** A copy of the contract with one change. */
function changed(change: (document: JsonObject) => void): JsonObject {
  const copy: unknown = structuredClone(contract);
  if (!isObject(copy)) throw new Error('The contract is not an object.');
  change(copy);
  return copy;
}

function at(value: unknown, keys: readonly string[]): Record<string, unknown> {
  const found = keys.reduce<unknown>((current, key) => (isObject(current) ? current[key] : undefined), value);
  if (!isObject(found)) throw new Error(`There is no object at ${keys.join('.')}.`);
  return found as Record<string, unknown>; // A parsed document is a tree of plain objects.
}

function schemaIn(document: unknown, name: string): Record<string, unknown> {
  return at(document, ['components', 'schemas', name]);
}

/** The differences of a changed document as texts. */
function problems(actual: unknown): readonly string[] {
  return diffOpenapi(contract, actual).differences.map(
    (difference) => `${difference.id} :: ${describeDifference(difference)}`,
  );
}

const withProperties = reachable.filter((name) => isObject(schemaIn(contract, name)['properties']));
const withRequired = reachable.filter((name) => textsOf(schemaIn(contract, name)['required']).length > 0);
const anOperation = fc.constantFrom(...operationsOf(contract));

describe('diffOpenapi', () => {
  it('finds no difference between a document and itself', () => {
    const { ids, differences } = diffOpenapi(whole, structuredClone(whole));
    expect(differences).toEqual([]);
    expect(ids.filter((id) => !id.startsWith('openapi:schema '))).toHaveLength(200);
  });

  it('reaches every schema that an operation of the contract refers to', () => {
    const all = Object.keys(at(whole, ['components', 'schemas']));
    const reached = namesReached(whole);
    // The contract names these two, but no operation uses them.
    expect(all.filter((name) => !reached.includes(name))).toEqual(['OperationError', 'UpcomingInvoice']);
  });

  it('finds any removed and any added property', () => {
    fc.assert(
      fc.property(fc.constantFrom(...withProperties), fc.nat(), (name, pick) => {
        const names = Object.keys(at(schemaIn(contract, name), ['properties']));
        const property = names[pick % Math.max(names.length, 1)];
        const without = changed((document) => {
          if (property !== undefined) delete at(schemaIn(document, name), ['properties'])[property];
        });
        const extra = changed((document) => {
          at(schemaIn(document, name), ['properties'])['thereIsNoSuchProperty'] = { type: 'string' };
        });
        const place = `openapi:schema ${name} ::`;
        if (property !== undefined)
          expect(
            problems(without).some((text) => text.startsWith(`${place} missing property ${name}.${property}`)),
          ).toBe(true);
        expect(problems(extra)).toEqual([
          `${place} not in the contract: property ${name}.thereIsNoSuchProperty (string)`,
        ]);
      }),
      { numRuns: 40 },
    );
  });

  it('finds any field that is no longer required', () => {
    fc.assert(
      fc.property(fc.constantFrom(...withRequired), fc.nat(), (name, pick) => {
        const required = textsOf(schemaIn(contract, name)['required']);
        const field = required[pick % required.length];
        const actual = changed((document) => {
          schemaIn(document, name)['required'] = required.filter((each) => each !== field);
        });
        expect(problems(actual)).toEqual([
          `openapi:schema ${name} :: ${name}.${field}: expected required, got optional`,
        ]);
      }),
      { numRuns: 40 },
    );
  });

  it('finds any removed and any added value of an enumeration', () => {
    fc.assert(
      fc.property(fc.constantFrom(...enumerations()), fc.nat(), ([name, property], pick) => {
        const path = ['properties', property];
        const values = textsOf(at(schemaIn(contract, name), path)['enum']);
        const value = values[pick % values.length];
        const fewer = changed((document) => {
          at(schemaIn(document, name), path)['enum'] = values.filter((each) => each !== value);
        });
        const more = changed((document) => {
          at(schemaIn(document, name), path)['enum'] = [...values, 'another'];
        });
        const place = `openapi:schema ${name} ::`;
        expect(problems(fewer)).toEqual([`${place} missing ${name}.${property} value "${value}"`]);
        expect(problems(more)).toEqual([`${place} not in the contract: ${name}.${property} value "another"`]);
      }),
      { numRuns: 40 },
    );
  });

  it('reports any missing operation as one difference', () => {
    fc.assert(
      fc.property(anOperation, ({ name, path, method }) => {
        const actual = changed((document) => {
          delete at(document, ['paths', path])[method.toLowerCase()];
        });
        expect(problems(actual)).toEqual([`openapi:${name} :: missing operation ${name}`]);
      }),
      { numRuns: 40 },
    );
  });

  it('finds a changed id, parameter, status and response of any operation', () => {
    fc.assert(
      fc.property(anOperation, ({ name, path, method }) => {
        const keys = ['paths', path, method.toLowerCase()];
        const actual = changed((document) => {
          const operation = at(document, keys);
          operation['operationId'] = 'another';
          operation['parameters'] = [{ name: 'another', in: 'query', required: true, schema: { type: 'string' } }];
          operation['responses'] = { 299: {} };
        });
        const found = problems(actual).join('\n');
        expect(found).toContain(`openapi:${name} :: operationId: expected`);
        expect(found).toContain(`openapi:${name} :: not in the contract: parameter query another`);
        expect(found).toContain(`openapi:${name} :: not in the contract: answer 299`);
        expect(found).toMatch(/:: missing answer \d{3}/);
      }),
      { numRuns: 20 },
    );
  });

  it('accepts an additional credential, and reports a missing one', () => {
    const stricter = changed((document) => {
      at(document, ['paths', '/v1/status', 'get'])['security'] = [{ bearer: [] }];
    });
    const open = changed((document) => {
      at(document, ['paths', '/v1/user', 'get'])['security'] = [];
    });
    expect(problems(stricter)).toEqual([]);
    expect(problems(open)).toEqual(['openapi:GET /v1/user :: security: expected apiKey or bearer, got none']);
  });
});

/** Schemas with a property that is an enumeration of texts. */
function enumerations(): readonly (readonly [string, string])[] {
  return reachable.flatMap((name) => {
    const properties = schemaIn(contract, name)['properties'];
    if (!isObject(properties)) return [];
    return Object.entries(properties).flatMap(([property, schema]) =>
      isObject(schema) && textsOf(schema['enum']).length > 1 ? [[name, property] as const] : [],
    );
  });
}
