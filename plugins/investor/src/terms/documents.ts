import { definitions, type JsonSchema } from './definitions.ts';
import type { Instrument } from './instrument.ts';

type Mode = 'known-keys' | 'strict';

/** The schemas below these keywords together describe one value, so none of them alone can list all keys. */
const combiningKeywords = new Set(['allOf', 'anyOf', 'if', 'then', 'else', 'not']);

/**
 * The terms of an instrument kind as one JSON Schema 2020-12, which contains the shared types (T-1). In strict mode it
 * has the required keys, and objects that list their keys have no others.
 */
export function termsDocument({ key: type, title, schema, required }: Instrument, mode: Mode): JsonSchema {
  const document = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:investor:terms:${encodeURIComponent(type)}`,
    title,
    ...schema,
    type: 'object',
    $defs: { terms: definitions },
  };
  if (mode === 'known-keys') return document;
  return { ...withStrictIds(closed(document)), required };
}

/** The schema in which objects that list their keys have no others. */
function closed(schema: JsonSchema): JsonSchema {
  const inside = Object.entries(schema).map(([keyword, value]) => [
    keyword,
    combiningKeywords.has(keyword) ? value : closedIn(value),
  ]);
  const listsKeys = schema['type'] === 'object' && isSchema(schema['properties']);
  const open: JsonSchema = Object.fromEntries(inside);
  return listsKeys && schema['additionalProperties'] === undefined ? { ...open, additionalProperties: false } : open;
}

function closedIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closedIn);
  return isSchema(value) ? closed(value) : value;
}

/** Gives the strict schema ids of its own, because one validator holds the schemas of both modes. */
function withStrictIds(schema: JsonSchema): JsonSchema {
  const shared = String(definitions['$id']);
  const text = JSON.stringify({ ...schema, $id: `${schema['$id']}:strict` });
  return JSON.parse(text.replaceAll(shared, `${shared}:strict`));
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
