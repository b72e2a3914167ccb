/** JSON Schemas in words, and tables of their fields. */
import { code, linkTo, prose, table } from './markdown.ts';

/** The keywords of JSON Schema that definitions use. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

const formats: Readonly<Record<string, string>> = {
  date: 'date `YYYY-MM-DD`',
  'date-time': 'instant, RFC 3339',
  email: 'email address',
  uri: 'URL',
};

/** The type of a schema in words; a named model is a link to its fields. */
export function typeWords(schema: JsonSchema): string {
  const arms = schema.anyOf ?? schema.oneOf;
  if (arms !== undefined) return joined(arms.map(typeWords));
  if (schema.allOf?.length === 1 && schema.allOf[0] !== undefined) return typeWords(schema.allOf[0]);
  if (schema.enum !== undefined) return joined(schema.enum.map((value) => (value === null ? 'null' : literal(value))));
  if (schema.const !== undefined) return literal(schema.const);
  if (typeof schema.type === 'object') {
    const { type: types, ...rest } = schema;
    return joined(types.map((type) => typeWords({ ...rest, type })));
  }
  if (schema.type === undefined) return 'any value';
  if (schema.type === 'array') return `list of ${schema.items === undefined ? 'any values' : typeWords(schema.items)}`;
  if (schema.type === 'object') return objectWords(schema);
  if (schema.type === 'string' && schema.format !== undefined) return formats[schema.format] ?? schema.format;
  return schema.type;
}

function objectWords({ title, properties, additionalProperties }: JsonSchema): string {
  if (title !== undefined && properties !== undefined && Object.keys(properties).length > 0)
    return linkTo('models', title);
  return typeof additionalProperties === 'object' ? `map of ${typeWords(additionalProperties)}` : 'object';
}

function joined(words: readonly string[]): string {
  return [...new Set(words)].join(' or ');
}

function literal(value: unknown): string {
  return code(JSON.stringify(value));
}

/** The fields of a model as a table; nothing for a model without fields. */
export function fieldTable(schema: JsonSchema): readonly string[] {
  const required = new Set(schema.required ?? []);
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => [
    code(name),
    typeWords(field),
    required.has(name) ? 'yes' : '',
    notes(field),
  ]);
  return table(['Field', 'Type', 'Required', 'Notes'], rows);
}

function notes(field: JsonSchema): string {
  const meaning = field.description === undefined ? [] : [prose(field.description)];
  return [...limitsOf(field), ...meaning].join('; ');
}

function limitsOf(field: JsonSchema): readonly string[] {
  const plain = field.anyOf?.find(({ type }) => type !== 'null') ?? field;
  return [
    plain.pattern === undefined ? '' : `matches ${code(plain.pattern)}`,
    between(plain.minLength === 0 ? undefined : plain.minLength, plain.maxLength, 'characters'),
    between(plain.minItems, plain.maxItems, 'items'),
    between(plain.minimum, plain.maximum, ''),
    plain.exclusiveMinimum === undefined ? '' : `more than ${plain.exclusiveMinimum}`,
    field.default === undefined || field.default === null ? '' : `default ${literal(field.default)}`,
  ].filter((word) => word !== '');
}

function between(least: number | undefined, most: number | undefined, unit: string): string {
  const words =
    least === undefined
      ? most === undefined
        ? ''
        : `at most ${most}`
      : most === undefined
        ? `at least ${least}`
        : least === most
          ? `${least}`
          : `${least} to ${most}`;
  return words === '' || unit === '' ? words : `${words} ${unit}`;
}

/** All named models that a schema contains, itself included. */
export function modelsIn(schema: JsonSchema, found: Map<string, JsonSchema> = new Map()): Map<string, JsonSchema> {
  const { title, properties = {}, items, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = schema;
  if (title !== undefined && Object.keys(properties).length > 0) {
    if (found.has(title)) return found;
    found.set(title, schema);
  }
  const inner = [...Object.values(properties), ...anyOf, ...oneOf, ...allOf];
  if (items !== undefined) inner.push(items);
  if (typeof additionalProperties === 'object') inner.push(additionalProperties);
  for (const each of inner) modelsIn(each, found);
  return found;
}
