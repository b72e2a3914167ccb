import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Answer } from './client.ts';
import { isObject, type JsonObject } from './json.ts';

/** Thrown when a case fails; the message states the expected and the actual result. */
export class CaseFailure extends Error {
  override readonly name = 'CaseFailure';
}

/** Thrown when a case does not apply to this deployment; the message states why. */
export class CaseSkipped extends Error {
  override readonly name = 'CaseSkipped';
}

const maxBodyCharactersShown = 400;
/** Compiled schemas, cached as long as their schema exists. */
const validators = new WeakMap<JsonObject, (value: unknown) => string | undefined>();

export function expectThat(condition: boolean, message: string): void {
  if (!condition) throw new CaseFailure(message);
}

export function skip(reason: string): never {
  throw new CaseSkipped(reason);
}

export function expectStatus(status: number | readonly number[], answer: Answer): void {
  const wanted = typeof status === 'number' ? [status] : status;
  if (wanted.includes(answer.status)) return;
  throw new CaseFailure(`${answer.asked}: expected ${wanted.join(' or ')}, got ${answer.status} ${shown(answer.body)}`);
}

/** Checks an answer's body against a JSON Schema (2020-12). */
export function expectBody(schema: JsonObject, answer: Answer): void {
  const problem = problemOf(schema, answer.body);
  if (problem !== undefined) throw new CaseFailure(`${answer.asked}: ${problem} in ${shown(answer.body)}`);
}

export function expectHeader(name: string, pattern: string, answer: Answer): void {
  const value = answer.headers.get(name);
  if (value !== null && new RegExp(pattern).test(value)) return;
  throw new CaseFailure(`${answer.asked}: expected the header ${name} to match ${pattern}, got ${value ?? 'none'}`);
}

const errorBody = {
  type: 'object',
  required: ['detail', 'code', 'request_id', 'timestamp'],
  properties: {
    detail: { type: 'string', minLength: 1 },
    code: { type: 'string', pattern: '^[A-Z][A-Z0-9_]*$' },
    request_id: { type: 'string', minLength: 1 },
    timestamp: { type: 'string', format: 'date-time' },
  },
};

const issues = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    required: ['loc', 'msg', 'type'],
    properties: {
      loc: { type: 'array', minItems: 1, items: { type: ['string', 'integer'] } },
      msg: { type: 'string', minLength: 1 },
      type: { type: 'string', pattern: '^[a-z_]+$' },
    },
  },
};

const refusedAsList = { type: 'object', required: ['detail'], properties: { detail: issues } };

const refusedAsMessage = {
  ...errorBody,
  properties: { ...errorBody.properties, errors: issues, code: { const: 'INVALID_INPUT' } },
};

/** Expects an error with the standard body (platform E-1), and the code if one is given. */
export function expectError(status: number, answer: Answer, code?: string): void {
  expectStatus(status, answer);
  expectBody(errorBody, answer);
  if (code !== undefined && valueAt(answer, 'code') !== code)
    throw new CaseFailure(`${answer.asked}: expected the code ${code}, got ${shown(answer.body)}`);
}

/** Expects a 422 in the shape that the contract defines for the route (platform E-3). */
export function expectRefusedInput(shape: 'list' | 'message', answer: Answer): void {
  expectStatus(422, answer);
  expectBody(shape === 'message' ? refusedAsMessage : refusedAsList, answer);
}

/** The text at a path of an answer's body. */
export function textAt(answer: Answer, path: string): string {
  const value = valueAt(answer, path);
  if (typeof value === 'string') return value;
  throw new CaseFailure(`${answer.asked}: expected a text at ${path}, got ${shown(answer.body)}`);
}

/** The value at a path of an answer's body, `a.b.0`; undefined where there is none. */
export function valueAt(answer: Answer, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    return isObject(value) ? value[key] : undefined;
  }, answer.body);
}

function problemOf(schema: JsonObject, value: unknown): string | undefined {
  const known = validators.get(schema) ?? validatorOf(schema);
  validators.set(schema, known);
  return known(value);
}

function validatorOf(schema: JsonObject): (value: unknown) => string | undefined {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  const validate = ajv.compile(schema);
  return (value) => {
    if (validate(value)) return undefined;
    const [first] = validate.errors ?? [];
    const limit = JSON.stringify(first?.params ?? {});
    return `${first?.instancePath === '' ? 'the body' : first?.instancePath} ${first?.message} ${limit}`;
  };
}

/** Formats a body for a message, with credentials hidden from reports. */
function shown(body: unknown): string {
  const hidden = (name: string, value: unknown): unknown =>
    typeof value === 'string' && /^(token|key|.*_token)$/.test(name) ? '(hidden)' : value;
  const text = typeof body === 'string' ? body : (JSON.stringify(body, hidden) ?? 'no body');
  return text.length > maxBodyCharactersShown ? `${text.slice(0, maxBodyCharactersShown)}…` : text;
}
