import type { DocumentNode, GraphQLError, GraphQLSchema } from 'graphql';
import type { ObjectTypeComposer, SchemaComposer } from 'graphql-compose';
import type { ReadContext } from '../define/context.ts';
import type { Query } from '../define/query.ts';
import { canonicalJson } from '../schema/canonical.ts';
import { camelCase, isJsonSchema, isRequired, objectTitle, propertiesOf, withoutNull } from '../schema/names.ts';
import { costOf, costRefusal, type PricedField, pricedField } from './cost.ts';
import { knownFailure } from './failures.ts';
import { Introspection } from './introspection.ts';
import { graphqlError, loadComposer, loadGraphql } from './library.ts';
import { type DocumentLimits, measureDocument } from './limits.ts';
import { addScalars } from './scalars.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/** The request data that the resolvers need. */
export interface GraphqlRequest {
  /** Undefined for an anonymous caller, who may only introspect and call `hello` (platform E-21). */
  readonly read: ReadContext | undefined;
  readonly requestId: string;
  /** Called for an unexpected error. */
  onInternalError(error: unknown): void;
}

/** A request in progress, with the reads that it has started. */
interface RunningRequest extends GraphqlRequest {
  readonly reads: Map<string, Promise<unknown>>;
}

/** A query with its services, ready to run. */
export interface MountedQuery {
  readonly query: Query;
  /** The neutral domain that the graph must have, if any. */
  readonly domain: string | undefined;
  use(): Readonly<Record<string, unknown>>;
}

export interface GraphqlAnswer {
  readonly data?: unknown;
  readonly errors?: readonly object[];
}

/** The composed schema of one deployment, built on first use. */
export interface GraphqlService {
  /** Builds the schema now, so that an invalid one fails before the first request. */
  check(): void;
  /** Printed on first use: few processes need it. */
  readonly sdl: string;
  run(
    input: { query: string; variables?: Readonly<Record<string, unknown>> | null; operationName?: string | null },
    request: GraphqlRequest,
  ): Promise<GraphqlAnswer>;
}

/** The number and maximum length of cached documents. */
const maxDocumentsKept = 500;
const maxKeptCharacters = 50_000;

const scalars: Readonly<Record<string, string>> = {
  string: 'String',
  integer: 'Int',
  number: 'Float',
  boolean: 'Boolean',
};

/** Composes the queries of the enabled plugins; a fresh composer each time, so that deployments never share types. */
export function composeGraphql(queries: readonly MountedQuery[], limits: DocumentLimits): GraphqlService {
  let made: { readonly schema: GraphQLSchema; readonly run: GraphqlService['run'] } | undefined;
  let failed: { readonly reason: unknown } | undefined;
  const make = () => {
    if (made !== undefined) return made;
    // A failed build is not retried with each request, because its inputs do not change.
    if (failed !== undefined) throw failed.reason;
    try {
      const schema = schemaOf(queries);
      const priced = new Map(queries.map(({ query }) => [query.name, pricedField(query)]));
      made = { schema, run: runner(schema, limits, priced) };
    } catch (reason) {
      failed = { reason };
      throw reason;
    }
    return made;
  };
  return {
    check: () => void make(),
    get sdl() {
      return `${loadGraphql().printSchema(make().schema)}\n`;
    },
    run: async (input, request) => make().run(input, request),
  };
}

function schemaOf(queries: readonly MountedQuery[]): GraphQLSchema {
  const { SchemaComposer: Composer } = loadComposer();
  const composer = new Composer<RunningRequest>();
  addScalars(composer);
  for (const mounted of queries) addQuery(composer, mounted);
  return composer.buildSchema({ keepUnusedTypes: false });
}

function addQuery(composer: SchemaComposer<RunningRequest>, mounted: MountedQuery): void {
  const { query } = mounted;
  const names = query.args === undefined ? [] : propertiesOf(query.args).map(([name]) => name);
  const args = Object.fromEntries(
    (query.args === undefined ? [] : propertiesOf(query.args)).map(([name, schema]) => {
      const required = query.args !== undefined && isRequired(query.args, name);
      const type = typeName(composer, withoutNull(schema).schema) + (required ? '!' : '');
      return [camelCase(name), required ? { type } : { type, defaultValue: schema['default'] ?? null }];
    }),
  );
  const returns = withoutNull(query.returns);
  composer.Query.addFields({
    [query.name]: {
      type: typeName(composer, returns.schema) + (returns.nullable ? '' : '!'),
      description: query.summary,
      args,
      resolve: (_source, given, request) => resolveQuery(mounted, names, given, request),
    },
  });
}

async function resolveQuery(
  mounted: MountedQuery,
  names: readonly string[],
  given: Readonly<Record<string, unknown>>,
  request: RunningRequest,
): Promise<unknown> {
  const { query, domain } = mounted;
  const { read } = request;
  if (read === undefined && query.anonymousAnswer !== undefined) return query.anonymousAnswer;
  if (read === undefined)
    throw coded('UNAUTHENTICATED', 'Sign in to read data: send an API key in X-API-Key or a bearer token.');
  // Only graphs created with a domain have its queries; the library has none (taxonomy LB-13).
  if (domain !== undefined && !read.graph.extensions.includes(domain)) {
    throw coded('EXTENSION_NOT_PROVISIONED', `This graph was created without ${domain}.`);
  }
  const args = Object.fromEntries(names.map((name) => [name, given[camelCase(name)] ?? undefined]));
  // Aliases of one read share one call, whatever fields they select.
  const key = `${query.name} ${canonicalJson(args)}`;
  const begun = request.reads.get(key) ?? query.resolve({ args, ctx: read, use: mounted.use() });
  request.reads.set(key, begun);
  return begun;
}

function coded(code: string, message: string, extra: object = {}): GraphQLError {
  return graphqlError(message, { extensions: { code, ...extra } });
}

/** Returns the GraphQL type of a schema. A titled object becomes an object type, whose fields are added once. */
function typeName(composer: SchemaComposer<RunningRequest>, schema: JsonSchema): string {
  const hint = isJsonSchema(schema['graphql']) ? schema['graphql'] : {};
  if (typeof hint['type'] === 'string') return hint['type'];
  const type = schema['type'];
  if (type === 'array') {
    const items = withoutNull(isJsonSchema(schema['items']) ? schema['items'] : {});
    return `[${typeName(composer, items.schema)}${items.nullable ? '' : '!'}]`;
  }
  if (type === 'string' && schema['format'] === 'date') return 'Date';
  if (type === 'string' && schema['format'] === 'date-time') return 'DateTime';
  if (type !== 'object') return scalars[String(type)] ?? 'JSON';
  const title = objectTitle(schema);
  if (title === undefined) return 'JSON';
  if (!composer.has(title)) addFields(composer, composer.createObjectTC(title), schema);
  return title;
}

function addFields(
  composer: SchemaComposer<RunningRequest>,
  target: ObjectTypeComposer<unknown, RunningRequest>,
  schema: JsonSchema,
): void {
  for (const [name, field] of propertiesOf(schema)) {
    const value = withoutNull(field);
    const hint = isJsonSchema(field['graphql']) ? field['graphql'] : {};
    const required = isRequired(schema, name) && !value.nullable;
    target.addFields({
      [typeof hint['field'] === 'string' ? hint['field'] : camelCase(name)]: {
        type:
          typeName(composer, { ...value.schema, ...('graphql' in field ? { graphql: field['graphql'] } : {}) }) +
          (required ? '!' : ''),
        // The resolver's types guarantee the row.
        resolve: (source: unknown) => fieldOf(source as Readonly<Record<string, unknown>>, name),
      },
    });
  }
}

/** The value of a field; one that is a function is read only now that it is selected. */
function fieldOf(source: Readonly<Record<string, unknown>>, name: string): unknown {
  const value = source[name];
  return typeof value === 'function' ? value() : value;
}

function runner(
  schema: GraphQLSchema,
  limits: DocumentLimits,
  priced: ReadonlyMap<string, PricedField>,
): GraphqlService['run'] {
  const introspection = new Introspection<GraphqlAnswer>();
  const checked = new Map<string, { readonly document: DocumentNode } | { readonly errors: readonly GraphQLError[] }>();
  function check(text: string): { readonly document: DocumentNode } | { readonly errors: readonly GraphQLError[] } {
    const known = checked.get(text);
    if (known !== undefined) return known;
    const outcome = checkDocument(schema, text, limits);
    if (text.length > maxKeptCharacters) return outcome;
    if (checked.size >= maxDocumentsKept) checked.delete(checked.keys().next().value ?? '');
    checked.set(text, outcome);
    return outcome;
  }
  return async (input, request) => {
    const outcome = check(input.query);
    if ('errors' in outcome) return { errors: outcome.errors };
    const { document } = outcome;
    const tooCostly = costRefusal(costOf(document, input, priced), limits.maxCost);
    if (tooCostly !== undefined) return { errors: [coded('QUERY_TOO_COMPLEX', tooCostly)] };
    return introspection.answer(input.query, document, input, async () => {
      const result = await loadGraphql().execute({
        schema,
        document,
        contextValue: { ...request, reads: new Map() },
        variableValues: input.variables ?? null,
        operationName: input.operationName ?? null,
      });
      if (result.errors === undefined) return result;
      return { ...result, errors: result.errors.map((error) => maskError(error, request)) };
    });
  };
}

function checkDocument(
  schema: GraphQLSchema,
  text: string,
  limits: DocumentLimits,
): { readonly document: DocumentNode } | { readonly errors: readonly GraphQLError[] } {
  const { parse, Source, validate } = loadGraphql();
  let document: DocumentNode;
  try {
    document = parse(new Source(text, 'query'), { maxTokens: limits.maxTokens });
  } catch (error) {
    const message = error instanceof Error ? error.message : 'The document cannot be parsed.';
    return {
      errors: [coded(/token limit|tokens/i.test(message) ? 'QUERY_TOO_COMPLEX' : 'GRAPHQL_PARSE_FAILED', message)],
    };
  }
  const tooMuch = measureDocument(document, limits);
  if (tooMuch !== undefined) return { errors: [coded('QUERY_TOO_COMPLEX', tooMuch)] };
  const problems = validate(schema, document, undefined, { maxErrors: 20 });
  if (problems.length === 0) return { document };
  return { errors: problems.map((problem) => again(problem, problem.message, { code: 'GRAPHQL_VALIDATION_FAILED' })) };
}

/** Keeps deliberate errors; any other becomes `INTERNAL_ERROR` without its text (platform E-22). */
function maskError(error: GraphQLError, request: GraphqlRequest): GraphQLError {
  const { originalError } = error;
  // The error of a scalar is wrapped in another GraphQLError.
  if (originalError === undefined || originalError.name === 'GraphQLError' || error.extensions['code'] !== undefined) {
    const code = error.extensions['code'] ?? 'GRAPHQL_VALIDATION_FAILED';
    return again(error, error.message, { ...error.extensions, code });
  }
  const known = knownFailure(originalError);
  if (known === undefined) request.onInternalError(originalError);
  const extensions =
    known === undefined ? { code: 'INTERNAL_ERROR', requestId: request.requestId } : { code: known.code };
  return again(error, known?.message ?? 'Internal error', extensions);
}

/** Copies an error with its location, but another message and other extensions. */
function again(error: GraphQLError, message: string, extensions: Readonly<Record<string, unknown>>): GraphQLError {
  return graphqlError(message, { nodes: error.nodes ?? null, path: error.path ?? null, extensions });
}
