import { isObject, type JsonObject, listOf, objectOf, textsOf } from './json.ts';

/** A text that is valid wherever a schema only requires a string. */
const word = 'conformance';
const texts: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T00:00:00Z',
  email: 'conformance@example.org',
  uri: 'https://example.org/conformance',
  uuid: '00000000-0000-4000-8000-000000000000',
};
const maxDepth = 12;

/** The resolved schema of an operation's JSON body; undefined if it accepts none. */
export function bodySchemaOf(document: unknown, definition: JsonObject): JsonObject | undefined {
  const content = objectOf(objectOf(definition['requestBody'])['content']);
  const schema = objectOf(content['application/json'])['schema'];
  return isObject(schema) ? resolve(document, schema) : undefined;
}

/** Resolves a reference to a component schema. */
export function resolve(document: unknown, schema: JsonObject): JsonObject {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  const parts = reference.replace(/^#\//, '').split('/');
  return objectOf(parts.reduce<unknown>((value, part) => objectOf(value)[part], document));
}

/** Generates a minimal body that is valid by the schema; the domain may still reject it. */
export function sampleBody(document: unknown, schema: JsonObject): unknown {
  return sample(document, schema, 0);
}

function sample(document: unknown, given: JsonObject, depth: number): unknown {
  const schema = resolve(document, given);
  if (depth > maxDepth) return null;
  if (schema['default'] !== undefined) return schema['default'];
  if (schema['const'] !== undefined) return schema['const'];
  const [value] = listOf(schema['enum']);
  if (value !== undefined) return value;
  const [first] = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])].filter(isObject);
  if (first !== undefined) return sample(document, first, depth + 1);
  const type = typeof schema['type'] === 'string' ? schema['type'] : textsOf(schema['type'])[0];
  switch (type) {
    case 'object': {
      const properties = objectOf(schema['properties']);
      const required = textsOf(schema['required']);
      return Object.fromEntries(
        required.map((name) => [name, sample(document, objectOf(properties[name]), depth + 1)]),
      );
    }
    case 'array': {
      const length = Number(schema['minItems'] ?? 0);
      return Array.from({ length }, () => sample(document, objectOf(schema['items']), depth + 1));
    }
    case 'string':
      return texts[String(schema['format'])] ?? word.slice(0, Number(schema['maxLength'] ?? word.length));
    case 'integer':
    case 'number':
      return Number(schema['minimum'] ?? 1);
    case 'boolean':
      return false;
    default:
      return null;
  }
}

/** Returns the body with another value in a free text field; undefined if the schema has none. */
export function changedBody(document: unknown, schema: JsonObject, body: JsonObject): JsonObject | undefined {
  const free = Object.entries(objectOf(schema['properties'])).find(([, property]) => isFreeText(document, property));
  if (free === undefined) return undefined;
  const [name] = free;
  return { ...body, [name]: body[name] === 'another' ? 'a third' : 'another' };
}

function isFreeText(document: unknown, property: unknown): boolean {
  const schema = resolve(document, objectOf(property));
  const isText = schema['type'] === 'string' || textsOf(schema['type']).includes('string');
  return isText && !['enum', 'const', 'format', 'pattern', 'maxLength'].some((keyword) => keyword in schema);
}
