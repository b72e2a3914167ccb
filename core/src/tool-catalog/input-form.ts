import type { Schema } from '../schema/model.ts';
import type { JsonSchema } from './catalog.ts';

/** The mapping of a tool's arguments to the input of its operation, view or query. */
export interface InputForm {
  /** What clients get: an object schema, closed, without alternatives at its top (ai-surface M-31). */
  readonly schema: JsonSchema;
  /** The names of arguments; others are refused. */
  readonly names: ReadonlySet<string>;
  /** Returns the input that the schema of the part describes. */
  toInput(given: Readonly<Record<string, unknown>>): unknown;
}

/**
 * Makes the form of a part's input. A union of objects has its discriminator and the rest as `payload`, because clients
 * refuse schemas with alternatives at the top. Omitted fields must be optional.
 */
export function inputForm(
  input: Schema,
  pathParameters: readonly string[] = [],
  omitted: readonly string[] = [],
): InputForm {
  const plain = plainSchema(input);
  const arms = plain['anyOf'] ?? plain['oneOf'];
  const form = Array.isArray(arms) ? unionForm(arms as readonly JsonSchema[]) : objectForm(plain);
  const parameters = Object.fromEntries(pathParameters.map((name) => [name, { type: 'string', minLength: 1 }]));
  const shown = Object.entries(form.properties).filter(([name]) => !omitted.includes(name));
  const properties = { ...parameters, ...Object.fromEntries(shown) };
  const required = [...pathParameters, ...form.required];
  return {
    schema: {
      type: 'object',
      properties,
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    },
    names: new Set(Object.keys(properties)),
    toInput: (given) =>
      form.toInput(Object.fromEntries(Object.entries(given).filter(([name]) => !pathParameters.includes(name)))),
  };
}

/** A schema as plain JSON, without what only this deployment needs. */
export function plainSchema(schema: Schema): JsonSchema {
  return JSON.parse(JSON.stringify(schema)); // Definitions are JSON Schemas.
}

interface Form {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
  toInput(given: Readonly<Record<string, unknown>>): unknown;
}

function objectForm(schema: JsonSchema): Form {
  return { properties: propertiesOf(schema), required: requiredOf(schema), toInput: (given) => given };
}

function unionForm(arms: readonly JsonSchema[]): Form {
  const discriminator = discriminatorOf(arms);
  if (discriminator === undefined) {
    return { properties: { payload: { anyOf: arms } }, required: ['payload'], toInput: ({ payload }) => payload };
  }
  const values = [...new Set(arms.flatMap((arm) => valuesOf(propertiesOf(arm)[discriminator])))].sort();
  const rests = arms.map((arm) => withoutProperty(arm, discriminator));
  const isPayload = rests.every((rest) => Object.keys(propertiesOf(rest)).every((name) => name === 'payload'));
  const payloads = isPayload ? rests.map((rest) => propertiesOf(rest)['payload'] ?? { type: 'object' }) : rests;
  return {
    properties: { [discriminator]: { type: 'string', enum: values }, payload: { anyOf: distinct(payloads) } },
    required: arms.every((arm) => !isPayload || requiredOf(arm).includes('payload'))
      ? [discriminator, 'payload']
      : [discriminator],
    toInput: isPayload
      ? (given) => given
      : ({ payload, ...given }) => ({ ...(typeof payload === 'object' ? payload : {}), ...given }),
  };
}

/** The property that every arm has with values of its own. */
function discriminatorOf(arms: readonly JsonSchema[]): string | undefined {
  const [first, ...others] = arms.map(propertiesOf);
  return Object.keys(first ?? {}).find(
    (name) => valuesOf(first?.[name]).length > 0 && others.every((properties) => valuesOf(properties[name]).length > 0),
  );
}

function valuesOf(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { const: value, enum: values } = schema as { readonly const?: unknown; readonly enum?: unknown };
  const all: readonly unknown[] = Array.isArray(values) ? values : [value];
  return all.filter((each) => typeof each === 'string');
}

function withoutProperty(schema: JsonSchema, name: string): JsonSchema {
  const { [name]: _taken, ...properties } = propertiesOf(schema);
  return { ...schema, properties, required: requiredOf(schema).filter((each) => each !== name) };
}

function distinct(schemas: readonly unknown[]): readonly unknown[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}

function propertiesOf(schema: JsonSchema): Readonly<Record<string, unknown>> {
  const { properties } = schema;
  return typeof properties === 'object' && properties !== null ? (properties as Record<string, unknown>) : {};
}

function requiredOf(schema: JsonSchema): readonly string[] {
  return Array.isArray(schema['required']) ? schema['required'] : [];
}
