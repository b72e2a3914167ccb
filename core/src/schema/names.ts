/** Converts REST names to GraphQL names, such as `total_debits` to `totalDebits`; nothing else does. */
export function camelCase(name: string): string {
  return name.replace(/_+([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

type JsonSchema = Readonly<Record<string, unknown>>;

export function isJsonSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Splits a schema into its non-null part and its nullability. */
export function withoutNull(schema: object): { readonly schema: JsonSchema; readonly nullable: boolean } {
  const plain: JsonSchema = { ...schema };
  const { type, anyOf } = plain;
  if (Array.isArray(type) && type.includes('null')) {
    const rest = type.filter((item) => item !== 'null');
    return { schema: { ...plain, type: rest.length === 1 ? rest[0] : rest }, nullable: true };
  }
  if (Array.isArray(anyOf)) {
    const rest = anyOf.filter((item) => !(isJsonSchema(item) && item['type'] === 'null'));
    const [only] = rest;
    if (rest.length === 1 && rest.length < anyOf.length && isJsonSchema(only)) return { schema: only, nullable: true };
  }
  return { schema: plain, nullable: false };
}

/** Lists the properties of an object schema. */
export function propertiesOf(schema: object): readonly (readonly [string, JsonSchema])[] {
  const properties = 'properties' in schema ? schema.properties : undefined;
  if (!isJsonSchema(properties)) return [];
  return Object.entries(properties).filter((entry): entry is [string, JsonSchema] => isJsonSchema(entry[1]));
}

/** The title of an object with known fields, which is an object type in GraphQL; other objects are JSON there. */
export function objectTitle(schema: JsonSchema): string | undefined {
  const { type, title } = schema;
  return type === 'object' && typeof title === 'string' && propertiesOf(schema).length > 0 ? title : undefined;
}

export function isRequired(schema: object, name: string): boolean {
  return 'required' in schema && Array.isArray(schema.required) && schema.required.includes(name);
}
