import { camelCase, isJsonSchema, isRequired, objectTitle, propertiesOf, withoutNull } from '../schema/names.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

const scalars: Readonly<Record<string, string>> = {
  string: 'String',
  integer: 'Int',
  number: 'Float',
  boolean: 'Boolean',
};

/** A field of an object type. */
export interface TypeField {
  /** On the wire. */
  readonly name: string;
  /** In the model. */
  readonly property: string;
  readonly type: string;
  readonly schema: JsonSchema;
}

/** Returns the GraphQL type of a schema, without its nullability. */
export function typeText(schema: JsonSchema): string {
  const hint = hintOf(schema);
  if (typeof hint['type'] === 'string') return hint['type'];
  if (typeof hint['enum'] === 'string') return hint['enum'];
  const type = schema['type'];
  if (type === 'array') {
    const items = withoutNull(isJsonSchema(schema['items']) ? schema['items'] : {});
    return `[${typeText(items.schema)}${items.nullable ? '' : '!'}]`;
  }
  if (type === 'string' && schema['format'] === 'date') return 'Date';
  if (type === 'string' && schema['format'] === 'date-time') return 'DateTime';
  if (type !== 'object') return scalars[String(type)] ?? 'JSON';
  return objectTitle(schema) ?? 'JSON';
}

/** Lists the fields of the object type that a titled object becomes. */
export function fieldsOf(object: object): readonly TypeField[] {
  return propertiesOf(object).map(([property, field]) => {
    const value = withoutNull(field);
    const schema = { ...value.schema, ...('graphql' in field ? { graphql: field['graphql'] } : {}) };
    const { field: name } = hintOf(field);
    return {
      name: typeof name === 'string' ? name : camelCase(property),
      property,
      type: typeText(schema) + (isRequired(object, property) && !value.nullable ? '!' : ''),
      schema,
    };
  });
}

/** Adds the object types that a schema contains to those that are known, by title. */
export function addObjectTypes(given: object, known: Map<string, JsonSchema>): void {
  const { schema } = withoutNull(given);
  if (typeof hintOf(schema)['type'] === 'string') return;
  if (schema['type'] === 'array') {
    if (isJsonSchema(schema['items'])) addObjectTypes(schema['items'], known);
    return;
  }
  const title = objectTitle(schema);
  if (title === undefined || known.has(title)) return;
  known.set(title, schema);
  for (const field of fieldsOf(schema)) addObjectTypes(field.schema, known);
}

function hintOf(schema: JsonSchema): JsonSchema {
  return isJsonSchema(schema['graphql']) ? schema['graphql'] : {};
}
