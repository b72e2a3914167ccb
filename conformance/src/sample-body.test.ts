import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { readContract } from './contract.ts';
import { operationsOf } from './diff-openapi.ts';
import { isObject, objectOf } from './json.ts';
import { bodySchemaOf, changedBody, sampleBody } from './sample-body.ts';

const document = objectOf(readContract().openapi);
const bodies = operationsOf(document).flatMap(({ name, definition }) => {
  const schema = bodySchemaOf(document, definition);
  return schema === undefined ? [] : [{ name, schema }];
});

/** Checks a body against a schema of the contract, whose references point into the document. */
function problemsOf(schema: object, body: unknown): unknown {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  const validate = ajv.compile({ ...schema, components: document['components'] });
  return validate(body) ? [] : validate.errors;
}

describe('sampleBody', () => {
  it('generates a valid body for every operation of the contract', { timeout: 300_000 }, () => {
    expect(bodies.length).toBeGreaterThan(100);
    for (const { name, schema } of bodies)
      expect({ name, problems: problemsOf(schema, sampleBody(document, schema)) }).toEqual({ name, problems: [] });
  });
});

describe('changedBody', () => {
  it('changes only a free text, to another value at each call', () => {
    const schema = {
      type: 'object',
      properties: {
        kind: { type: 'string', enum: ['a'] },
        day: { type: 'string', format: 'date' },
        note: { type: ['string', 'null'] },
      },
    };
    const first = changedBody(document, schema, { kind: 'a' });
    expect(first).toEqual({ kind: 'a', note: 'another' });
    expect(first === undefined ? undefined : changedBody(document, schema, first)).toEqual({
      kind: 'a',
      note: 'a third',
    });
  });

  it('returns undefined where there is no free text', () => {
    const schema = {
      type: 'object',
      properties: { day: { type: 'string', format: 'date' }, count: { type: 'integer' } },
    };
    expect(changedBody(document, schema, {})).toBeUndefined();
  });

  it('finds a free text in most bodies, so that few operations are skipped', () => {
    const spared = bodies.filter(({ schema }) => {
      const body = sampleBody(document, schema);
      return !isObject(body) || changedBody(document, schema, body) === undefined;
    });
    expect(spared.length).toBeLessThan(bodies.length / 4);
  });
});
