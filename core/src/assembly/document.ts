import { textOfGiven } from '../define/example.ts';
import type { Operation } from '../define/operation.ts';
import type { Route } from '../define/route.ts';
import type { View } from '../define/view.ts';
import type { Schema } from '../schema/model.ts';
import { isRequired, propertiesOf } from '../schema/names.ts';
import { type DocumentedPath, errorResponse, httpValidationError, openapiDocument } from '../schema/openapi.ts';
import type { Endpoint } from './endpoints.ts';

/** The version of the contract that the document describes; clients are generated from it for any release. */
const wireVersion = '1.12.6';

/** Error statuses that every named operation can return. */
const operationFails = [400, 401, 403, 404, 409, 422, 429, 500] as const;

const keyParameter = { name: 'Idempotency-Key', in: 'header', required: false, schema: { type: ['string', 'null'] } };

/** The OpenAPI document of a deployment, from its endpoints alone. */
export function composeOpenapi(
  endpoints: readonly Endpoint[],
  productVersion: string,
  prefix: string,
): Readonly<Record<string, unknown>> {
  const paths = endpoints.filter((endpoint) => endpoint.documented).map(documentedPath);
  const document = openapiDocument(
    { title: 'Pacioli', version: wireVersion, 'x-product-version': productVersion },
    paths,
  );
  // Clients resolve it against the address of the document (platform E-27).
  return prefix === '' ? document : { ...document, servers: [{ url: prefix }] };
}

function documentedPath(endpoint: Endpoint): DocumentedPath {
  const base = { method: endpoint.method, path: endpoint.path };
  const inPath = [...endpoint.path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  switch (endpoint.kind) {
    case 'operation':
      return { ...base, ...operationParts(endpoint.mounted.operation, inPath) };
    case 'view':
      return { ...base, ...viewParts(endpoint.mounted.view, inPath) };
    case 'route':
      return { ...base, ...routeParts(endpoint.mounted.route, inPath) };
    default:
      return { ...base, ...graphqlParts(endpoint.kind, inPath) };
  }
}

type PathParts = Omit<DocumentedPath, 'method' | 'path'>;
type Parameters = DocumentedPath['parameters'];
type DocumentedBody = NonNullable<DocumentedPath['body']>;

/** The examples of a part, by number; the summary says what must be true before, or how the call is refused. */
function documentedExamples({ examples = [] }: Pick<Operation, 'examples'>): Pick<DocumentedBody, 'examples'> {
  if (examples.length === 0) return {};
  const described = examples.map(({ input, given, fails }, index) => {
    const needs = textOfGiven(given);
    const summary = [needs, fails === undefined ? undefined : `Refused with ${fails}.`].filter((text) => text);
    return [`example-${index + 1}`, { ...(summary.length === 0 ? {} : { summary: summary.join(' ') }), value: input }];
  });
  return { examples: Object.fromEntries(described) };
}

function operationParts(operation: Operation, inPath: Parameters): PathParts {
  const plain = operation.failsPlain ?? [];
  const isRun = operation.runs === 'worker';
  return {
    operationId: operation.openapi.id,
    tag: operation.openapi.tag,
    summary: operation.summary,
    parameters: [...inPath, keyParameter],
    body: { schema: operation.input, required: true, ...documentedExamples(operation) },
    answers: [
      [
        isRun ? (operation.acceptedStatus ?? 202) : 200,
        envelopeSchema(operation.output, operation.untypedResult ?? isRun),
      ],
      ...failures([...operationFails, ...plain], plain, 'message'),
    ],
    signedIn: true,
  };
}

function viewParts(view: View, inPath: Parameters): PathParts {
  return {
    operationId: view.openapi.id,
    tag: view.openapi.tag,
    summary: view.summary,
    parameters: [...inPath, keyParameter],
    body: { schema: view.input, required: true, ...documentedExamples(view) },
    answers: [
      [200, envelopeSchema(view.output, view.untypedResult ?? false)],
      ...failures(operationFails, [], 'message'),
    ],
    signedIn: true,
  };
}

function routeParts(route: Route, inPath: Parameters): PathParts {
  const fails = [...route.fails, ...(route.failsPlain ?? [])];
  return {
    operationId: route.openapi.id,
    tag: route.openapi.tag,
    summary: route.summary,
    parameters: [
      ...inPath,
      ...queryParameters(route.query),
      ...(route.documentedHeaders ?? []).map((name) => optionalText('header', name)),
      ...(route.documentedCookies ?? []).map((name) => ({
        ...optionalText('cookie', name),
        description: 'Ignored: send the session token in the Authorization header.',
      })),
    ],
    ...(route.body === undefined ? {} : { body: { schema: route.body, required: route.bodyRequired !== false } }),
    answers: [
      ...Object.entries(route.answers).map(([status, schema]) => [Number(status), schema] as const),
      ...failures(fails, route.failsPlain ?? [], route.validationErrors ?? 'list'),
    ],
    signedIn: route.auth.length > 0 && route.authOptional !== true,
  };
}

function graphqlParts(kind: 'graphql' | 'explorer', inPath: Parameters): PathParts {
  const isQuery = kind === 'graphql';
  return {
    operationId: isQuery
      ? 'handle_http_post_extensions_graph_id_graphql_post'
      : 'handle_http_get_extensions_graph_id_graphql_get',
    tag: 'extensions_graph_ql',
    summary: isQuery
      ? 'Runs a GraphQL query on one graph.'
      : 'Returns the GraphQL explorer, if the host has enabled it.',
    parameters: inPath,
    answers: [
      [200, {}],
      ...failures(isQuery ? [401, 403, 422, 429] : [401, 403, 404, 422, 429], [401, 403, 404, 429], 'list'),
    ],
    signedIn: true,
  };
}

function optionalText(place: 'header' | 'cookie', name: string): Readonly<Record<string, unknown>> {
  return { name, in: place, required: false, schema: { type: ['string', 'null'] } };
}

function queryParameters(query: Schema | undefined): readonly Readonly<Record<string, unknown>>[] {
  if (query === undefined) return [];
  return propertiesOf(query).map(([name, schema]) => ({
    name,
    in: 'query',
    required: isRequired(query, name),
    schema,
  }));
}

function failures(
  statuses: readonly number[],
  plain: readonly number[],
  validation: 'list' | 'message',
): readonly (readonly [number, object | null])[] {
  return statuses.map((status) => {
    if (plain.includes(status)) return [status, null];
    return [status, status === 422 && validation === 'list' ? httpValidationError : errorResponse];
  });
}

/** The envelope around a result (platform N-1); its title names the result's model if the contract types it. */
function envelopeSchema(output: Schema, untyped: boolean): object {
  const title = resultTitle(output);
  const typed = !untyped && title !== undefined;
  return {
    title: typed ? `OperationEnvelope${title}` : 'OperationEnvelope',
    type: 'object',
    properties: {
      operation: { type: 'string' },
      operationId: { type: 'string' },
      status: { type: 'string', enum: ['completed', 'failed', 'pending'] },
      at: { type: 'string' },
      result: typed ? { anyOf: [output, { type: 'null' }] } : {},
      createdBy: { type: ['string', 'null'] },
      idempotentReplay: { type: 'boolean', default: false },
    },
    required: ['operation', 'operationId', 'status', 'at'],
  };
}

/** The name of a result's model, or of the models in a list, as the contract spells it; undefined for other results. */
function resultTitle(output: Schema): string | undefined {
  const shape: Readonly<Record<string, unknown>> = { ...output };
  if (typeof shape['title'] === 'string') return shape['title'];
  const items: Readonly<Record<string, unknown>> = { ...(shape['items'] ?? {}) };
  return shape['type'] === 'array' && typeof items['title'] === 'string' ? `list${items['title']}` : undefined;
}
