import { Ajv2020, type ErrorObject, type Format, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { createToken, type Token } from '../container/token.ts';
import type { Issue } from '../errors/kinds.ts';
import { ofChosenArms } from './chosen-arm.ts';
import type { Schema } from './model.ts';

/** The most issues in one response. */
const maxIssues = 100;

/** The longest input text that an issue echoes. */
const maxEchoedCharacters = 200;

/** The vocabulary of issue types (platform E-11). */
const issueTypes: Readonly<Record<string, string>> = {
  required: 'missing',
  minLength: 'string_too_short',
  maxLength: 'string_too_long',
  pattern: 'string_pattern_mismatch',
  minItems: 'too_short',
  maxItems: 'too_long',
  exclusiveMinimum: 'greater_than',
  minimum: 'greater_than_equal',
  exclusiveMaximum: 'less_than',
  maximum: 'less_than_equal',
  enum: 'enum',
  const: 'literal_error',
  additionalProperties: 'extra_forbidden',
};

const typeIssues: Readonly<Record<string, string>> = {
  string: 'string_type',
  integer: 'int_type',
  number: 'float_type',
  boolean: 'bool_type',
  object: 'dict_type',
  array: 'list_type',
};

/** The words for a value that is wrong or that cannot exist, such as February 30. */
const formatMessages: Readonly<Record<string, string>> = {
  date: 'Must be a date that exists, as YYYY-MM-DD',
  'date-time': 'Must be a date and time that exist, such as 2026-03-31T10:00:00Z',
};

/** Values at these paths are never echoed (platform E-11). */
const secretName = /password|token|secret|key/i;

export type Validated =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** The source of an input; in text sources numbers and booleans are written as text. */
export type InputSource = 'body' | 'query' | 'path' | 'header';

/**
 * Validates values against schemas. A schema is compiled on first use and cached. `checksSchemas` also validates each
 * schema against the rules of JSON Schema. Schemas are static, so only tests do that; a service avoids the cost of
 * compiling those rules at startup.
 */
export class SchemaValidator {
  readonly #strict: Ajv2020;
  readonly #fromText: Ajv2020;
  readonly #compiled = new WeakMap<object, { strict?: ValidateFunction; fromText?: ValidateFunction }>();

  constructor({ checksSchemas }: { readonly checksSchemas: boolean }) {
    this.#strict = newAjv({ coerceTypes: false, checksSchemas });
    this.#fromText = newAjv({ coerceTypes: true, checksSchemas });
  }

  /** Validates a value and fills in defaults in place. */
  check(schema: Schema, value: unknown, source: InputSource): Validated {
    const validate = this.#validator(schema, source !== 'body');
    if (validate(value)) return { ok: true, value };
    const issues = ofChosenArms(validate.errors ?? []).map((error) => toIssue(error, source, value));
    return { ok: false, issues: withoutWrappers(issues).slice(0, maxIssues) };
  }

  #validator(schema: Schema, text: boolean): ValidateFunction {
    const known = this.#compiled.get(schema) ?? {};
    this.#compiled.set(schema, known);
    if (text) {
      known.fromText ??= this.#fromText.compile(schema);
      return known.fromText;
    }
    known.strict ??= this.#strict.compile(schema);
    return known.strict;
  }
}

function newAjv({ coerceTypes, checksSchemas }: { coerceTypes: boolean; checksSchemas: boolean }): Ajv2020 {
  const ajv = new Ajv2020({
    coerceTypes,
    meta: checksSchemas,
    validateSchema: checksSchemas,
    useDefaults: true,
    allErrors: true,
    strict: false,
    verbose: true,
  });
  addFormats.default(ajv, ['email', 'uri', 'date', 'iso-date-time']);
  ajv.addFormat('date', storable(ajv.formats['date']));
  // A timestamp without an offset is read as UTC, which the standard format would reject (ledger L-6).
  ajv.addFormat('date-time', storable(ajv.formats['iso-date-time']));
  ajv.removeKeyword('discriminator');
  return ajv;
}

/** A format of dates without the year 0, which ISO 8601 has and PostgreSQL has not. */
function storable(format: Format | undefined): (text: string) => boolean {
  if (typeof format !== 'object' || !('validate' in format) || typeof format.validate !== 'function')
    throw new Error('The formats of dates are no functions in this version of ajv-formats.');
  const { validate } = format as { readonly validate: (text: string) => boolean };
  return (text) => !text.startsWith('0000') && validate(text);
}

function toIssue(error: ErrorObject, source: InputSource, root: unknown): Issue {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  const params: Readonly<Record<string, unknown>> = error.params;
  const extra = params['missingProperty'] ?? params['additionalProperty'];
  const loc = [source, ...path, ...(typeof extra === 'string' ? [extra] : [])];
  const hidden = loc.some((part) => typeof part === 'string' && secretName.test(part));
  const input =
    error.keyword === 'required' || hidden || error.data === root || isLong(error.data)
      ? {}
      : { input: writable(error.data) };
  return { loc, msg: messageOf(error, params), type: typeOf(error, params), ...input };
}

/** Only short values are echoed, so that an error response stays small. */
function isLong(value: unknown): boolean {
  if (typeof value === 'string') return value.length > maxEchoedCharacters;
  return typeof value === 'object' && value !== null;
}

function typeOf(error: ErrorObject, params: Readonly<Record<string, unknown>>): string {
  if (error.keyword === 'type') {
    const types = Array.isArray(params['type']) ? params['type'] : [params['type']];
    return typeIssues[String(types.find((type) => type !== 'null'))] ?? 'value_error';
  }
  if (error.keyword === 'format' && params['format'] === 'date-time') return 'datetime_from_date_parsing';
  if (error.keyword === 'format' && params['format'] === 'date') return 'date_from_datetime_parsing';
  return issueTypes[error.keyword] ?? 'value_error';
}

function messageOf(error: ErrorObject, params: Readonly<Record<string, unknown>>): string {
  if (error.keyword === 'required') return 'Field required';
  if (error.keyword === 'additionalProperties') return 'Extra inputs are not permitted';
  if (error.keyword === 'enum' && Array.isArray(params['allowedValues'])) {
    return `Must be one of: ${params['allowedValues'].map((value) => JSON.stringify(value)).join(', ')}`;
  }
  if (error.keyword === 'type') return `Must be of type ${[params['type']].flat().join(' or ')}`;
  const format = error.keyword === 'format' ? formatMessages[String(params['format'])] : undefined;
  if (format !== undefined) return format;
  const text = error.message ?? 'is not valid';
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Drops a failed `anyOf`, which only repeats the issues of its branches. */
function withoutWrappers(issues: readonly Issue[]): readonly Issue[] {
  const specific = issues.filter((issue) => !/match a schema in anyOf/.test(issue.msg));
  return specific.length > 0 ? specific : issues;
}

/** The validator of a deployment. */
export const schemaValidator: Token<SchemaValidator> = createToken('kernel.schema-validator');

/** Converts a whole number beyond ±(2^53−1) to its digits, because JSON.stringify cannot write a bigint. */
function writable(value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
