import { type Static, type TObject, type TProperties, type TSchema, type TUnsafe, Type } from 'typebox';

/** Plain JSON Schema 2020-12 with its TypeScript type. */
export type Schema = TSchema;

/** The TypeScript type that a schema describes. */
export type TypeOf<S extends TSchema> = Static<S>;

/** The options of a model other than its properties. */
export interface ModelOptions<Field extends string = string> {
  /** Rejects undeclared fields (422 `extra_forbidden`). The contract sets this for each model. */
  readonly closed?: boolean;
  readonly description?: string;
  /** What fields mean, for the documents: units, defaults, limits, what null means. */
  readonly fields?: Readonly<Partial<Record<Field, string>>>;
}

/**
 * A named object schema: one OpenAPI component and one GraphQL type, both called by its title.
 * Unknown fields are ignored unless the model is closed, because a newer client may send fields we do not know.
 */
export function model<const P extends TProperties>(
  title: string,
  properties: P,
  options: ModelOptions<Extract<keyof P, string>> = {},
): TObject<P> {
  return Type.Object(described(properties, options.fields ?? {}), {
    title,
    ...(options.description === undefined ? {} : { description: options.description }),
    ...(options.closed === true ? { additionalProperties: false } : {}),
  });
}

function described<P extends TProperties>(properties: P, meanings: Readonly<Record<string, string | undefined>>): P {
  const entries = Object.entries(properties).map(([name, schema]) => {
    const description = meanings[name];
    return [name, description === undefined ? schema : withDescription(schema, description)] as const;
  });
  return Object.fromEntries(entries) as P; // The same fields with the same types.
}

/** A copy of the schema, also of what TypeBox hides in it, such as that the field is optional. */
function withDescription(schema: TSchema, description: string): TSchema {
  const copy: TSchema = Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema));
  return Object.assign(copy, { description });
}

/** An object of any fields, for values that the contract does not type. Documents show it in place, without a name. */
export function openObject(): TUnsafe<Record<string, unknown>> {
  return Type.Unsafe<Record<string, unknown>>({ type: 'object' });
}

/** An object of any field names whose values all have one schema. Documents show it in place, without a name. */
export function mapOf<S extends TSchema>(values: S): TUnsafe<Readonly<Record<string, Static<S>>>> {
  return Type.Unsafe<Readonly<Record<string, Static<S>>>>({ type: 'object', additionalProperties: values });
}

/** The value or null, written as `type: [..., 'null']` for scalars and as `anyOf` for objects and lists. */
export function nullable<S extends TSchema>(schema: S): TUnsafe<Static<S> | null> {
  const plain: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(schema));
  const { type, enum: values } = plain;
  if (typeof type === 'string' && type !== 'object' && type !== 'array') {
    const withNull = Array.isArray(values) ? { enum: [...values, null] } : {};
    return Type.Unsafe<Static<S> | null>({ ...plain, type: [type, 'null'], ...withNull });
  }
  return Type.Unsafe<Static<S> | null>({ anyOf: [schema, { type: 'null' }] });
}

/** One of a fixed list of strings. */
export function oneOf<const V extends readonly string[]>(values: V, options: object = {}): TUnsafe<V[number]> {
  return Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options });
}

/** A calendar date `YYYY-MM-DD`. */
export function calendarDate(options: object = {}): TUnsafe<string> {
  return Type.Unsafe<string>({ type: 'string', format: 'date', ...options });
}

/** An instant in RFC 3339. */
export function instant(options: object = {}): TUnsafe<string> {
  return Type.Unsafe<string>({ type: 'string', format: 'date-time', ...options });
}

/** Any JSON value. */
export function anything(options: object = {}): TUnsafe<unknown> {
  return Type.Unsafe<unknown>({ ...options });
}
