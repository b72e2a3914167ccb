import { canonicalText, isObject, type JsonObject, listOf, textsOf } from './json.ts';

/** Keywords that limit values, compared by their text. Prose and presentation keywords are excluded. */
const limits = [
  'format',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
] as const;

/** Limits that apply to one type only. */
const limitsOf: Readonly<Record<string, readonly string[]>> = {
  string: ['format', 'pattern', 'minLength', 'maxLength'],
  number: ['format', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  integer: ['format', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  array: ['minItems', 'maxItems', 'uniqueItems'],
  object: ['minProperties', 'maxProperties'],
  boolean: [],
  null: [],
};

/** One form that a value may have. */
export type Alternative =
  | { readonly kind: 'reference'; readonly name: string }
  | {
      readonly kind: 'plain';
      /** Absent where any type is allowed. */
      readonly type: string | undefined;
      readonly limits: ReadonlyMap<string, string>;
      /** Sorted texts of the allowed values; absent where every value is allowed. */
      readonly values: readonly string[] | undefined;
      readonly properties: ReadonlyMap<string, unknown>;
      readonly required: ReadonlySet<string>;
      /** The schema of additional properties; false if none may be sent, absent if any may. */
      readonly additional: unknown;
      readonly items: unknown;
    };

/** A schema independent of its notation: the forms of a value, and the default of an absent one. */
export interface NormalSchema {
  readonly alternatives: readonly Alternative[];
  readonly defaultText: string | undefined;
}

/**
 * Normalizes a schema, because the same set of values can be written in several ways: `type: [a, null]`,
 * `anyOf: [a, null]`, `const`, a one-member `allOf`.
 */
export function normalSchema(schema: unknown): NormalSchema {
  if (!isObject(schema)) return { alternatives: [anything], defaultText: undefined };
  const given = schema['default'];
  return {
    alternatives: withoutDoubles(alternativesOf(schema)),
    // A default of null only means that the value may be omitted.
    defaultText: given === undefined || given === null ? undefined : canonicalText(given),
  };
}

const anything: Alternative = {
  kind: 'plain',
  type: undefined,
  limits: new Map(),
  values: undefined,
  properties: new Map(),
  required: new Set(),
  additional: undefined,
  items: undefined,
};

function alternativesOf(schema: JsonObject): readonly Alternative[] {
  const reference = schema['$ref'];
  if (typeof reference === 'string') return [{ kind: 'reference', name: reference.split('/').at(-1) ?? reference }];
  for (const keyword of ['anyOf', 'oneOf']) {
    const members = listOf(schema[keyword]);
    if (members.length > 0)
      return members.flatMap((member) => (isObject(member) ? alternativesOf(member) : [anything]));
  }
  const [only, ...others] = listOf(schema['allOf']);
  if (isObject(only) && others.length === 0) return alternativesOf(only);
  const type = schema['type'];
  const types = typeof type === 'string' ? [type] : textsOf(type);
  if (types.length === 0) return [plain(schema, undefined)];
  return types.map((each) => plain(schema, each));
}

function plain(schema: JsonObject, type: string | undefined): Alternative {
  const values = 'const' in schema ? [schema['const']] : schema['enum'];
  const additional = schema['additionalProperties'];
  const isOpen = additional === undefined || additional === true || (isObject(additional) && isEmpty(additional));
  const isFor = (each: string): boolean => type === undefined || type === each;
  const mentioned = type === undefined ? limits : (limitsOf[type] ?? limits);
  return {
    kind: 'plain',
    type,
    limits: new Map(
      mentioned.flatMap((name) => (name in schema ? [[name, canonicalText(schema[name])] as const] : [])),
    ),
    values: Array.isArray(values) ? valuesOf(values, type) : undefined,
    properties: new Map(isFor('object') && isObject(schema['properties']) ? Object.entries(schema['properties']) : []),
    required: new Set(isFor('object') ? textsOf(schema['required']) : []),
    additional: isFor('object') && !isOpen ? additional : undefined,
    items: isFor('array') ? schema['items'] : undefined,
  };
}

/** The values that fit a type: `enum: [a, null]` with `type: [string, null]` is the text `a`, or null. */
function valuesOf(values: readonly unknown[], type: string | undefined): readonly string[] | undefined {
  if (type === 'null') return undefined;
  const fitting = values.filter((value) => type === undefined || value !== null);
  return fitting.map(canonicalText).sort();
}

function isEmpty(value: JsonObject): boolean {
  return Object.keys(value).length === 0;
}

function withoutDoubles(alternatives: readonly Alternative[]): readonly Alternative[] {
  const seen = new Set<string>();
  return alternatives.filter((alternative) => {
    const isSimple = alternative.kind === 'reference' || alternative.type === 'null';
    const key = alternative.kind === 'reference' ? `reference ${alternative.name}` : `type ${alternative.type}`;
    if (!isSimple) return true;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Describes an alternative for messages. */
export function describeAlternative(alternative: Alternative): string {
  if (alternative.kind === 'reference') return alternative.name;
  const type = alternative.type ?? 'anything';
  const format = alternative.limits.get('format');
  const values = alternative.values === undefined ? '' : ` of ${alternative.values.join(' | ')}`;
  return `${type}${format === undefined ? '' : ` (${format})`}${values}`;
}
