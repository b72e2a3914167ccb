import { isJsonSchema } from './names.ts';

type Json = Readonly<Record<string, unknown>>;

/** One method and path of the document. */
export interface DocumentedPath {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly parameters: readonly Json[];
  readonly body?: {
    readonly schema: object;
    readonly required: boolean;
    /** Named examples of the body. */
    readonly examples?: Readonly<Record<string, Json>>;
  };
  /** Status to schema; null for a status without a body. */
  readonly answers: readonly (readonly [number, object | null])[];
  readonly signedIn: boolean;
}

/** The standard error body and the body of a plain route's 422 (platform E-1, E-3). */
export const errorResponse = {
  title: 'ErrorResponse',
  type: 'object',
  properties: {
    detail: { type: 'string' },
    code: { type: ['string', 'null'] },
    request_id: { type: ['string', 'null'] },
    timestamp: { type: ['string', 'null'], format: 'date-time' },
  },
  required: ['detail'],
} as const;

const validationError = {
  title: 'ValidationError',
  type: 'object',
  properties: {
    loc: { type: 'array', items: { anyOf: [{ type: 'integer' }, { type: 'string' }] } },
    msg: { type: 'string' },
    type: { type: 'string' },
    input: {},
    ctx: { type: 'object' },
  },
  required: ['loc', 'msg', 'type'],
} as const;

export const httpValidationError = {
  title: 'HTTPValidationError',
  type: 'object',
  properties: { detail: { type: 'array', items: validationError } },
} as const;

/** Builds the OpenAPI 3.1 document: TypeBox schemas already are JSON Schema, titled objects become components. */
export function openapiDocument(
  info: { readonly title: string; readonly version: string; readonly 'x-product-version': string },
  paths: readonly DocumentedPath[],
): Json {
  const components: Record<string, unknown> = {};
  const byPath: Record<string, Record<string, unknown>> = {};
  for (const entry of [...paths].sort((a, b) =>
    a.path < b.path ? -1 : a.path > b.path ? 1 : a.method < b.method ? -1 : 1,
  )) {
    const methods = byPath[entry.path] ?? {};
    byPath[entry.path] = methods;
    methods[entry.method.toLowerCase()] = pathItem(entry, components);
  }
  return {
    openapi: '3.1.0',
    info,
    paths: byPath,
    components: {
      schemas: Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

function pathItem(entry: DocumentedPath, components: Record<string, unknown>): Json {
  const responses = entry.answers.map(([status, schema]) => [
    String(status),
    schema === null
      ? { description: statusText(status) }
      : {
          description: statusText(status),
          content: { 'application/json': { schema: referenced(schema, components) } },
        },
  ]);
  return {
    operationId: entry.operationId,
    tags: [entry.tag],
    summary: entry.summary,
    parameters: entry.parameters,
    ...(entry.body === undefined
      ? {}
      : {
          requestBody: {
            required: entry.body.required,
            content: {
              'application/json': {
                schema: referenced(entry.body.schema, components),
                ...(entry.body.examples === undefined ? {} : { examples: entry.body.examples }),
              },
            },
          },
        }),
    responses: Object.fromEntries(responses),
    security: entry.signedIn ? [{ apiKey: [] }, { bearer: [] }] : [],
  };
}

function statusText(status: number): string {
  return status < 300 ? 'Success' : 'The request failed; the body states the reason.';
}

/** Replaces each titled object of a schema by a reference, and adds the object to the components once. */
function referenced(schema: unknown, components: Record<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => referenced(item, components));
  if (!isJsonSchema(schema)) return schema;
  const title = schema['title'];
  const fields = Object.fromEntries(
    Object.entries(schema)
      .filter(([name]) => name !== 'title' && name !== 'graphql' && !name.startsWith('~'))
      .map(([name, value]) => [name, referencedIn(name, value, components)]),
  );
  if (schema['type'] !== 'object' || typeof title !== 'string') {
    return fields;
  }
  if (!(title in components)) components[title] = fields;
  return { $ref: `#/components/schemas/${title}` };
}

/** The value of a keyword. A field may have the name of a keyword, so the names of fields are not looked at. */
function referencedIn(keyword: string, value: unknown, components: Record<string, unknown>): unknown {
  if (keyword === 'default' || keyword === 'enum') return value;
  if (keyword !== 'properties' || !isJsonSchema(value)) return referenced(value, components);
  return Object.fromEntries(Object.entries(value).map(([field, schema]) => [field, referenced(schema, components)]));
}
