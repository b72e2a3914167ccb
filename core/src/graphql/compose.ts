import type { DocumentNode, GraphQLError, GraphQLSchema } from 'graphql';
import type { SchemaComposer } from 'graphql-compose';
import type { Query } from '../define/query.ts';
import { hasRecordsOfAny, missingExtension } from '../errors/missing-extension.ts';
import { canonicalJson } from '../schema/canonical.ts';
import { withoutNull } from '../schema/names.ts';
import { costOf, costRefusal, type Prices, pricedField } from './cost.ts';
import { knownFailure } from './failures.ts';
import { fieldPrices } from './field-cost.ts';
import { addPluginFields, type MountedField } from './fields.ts';
import { Introspection } from './introspection.ts';
import { graphqlError, loadComposer, loadGraphql } from './library.ts';
import { type DocumentLimits, measureDocument } from './limits.ts';
import { addEnums, addObjects, argumentsOf, givenArguments } from './objects.ts';
import { coded, type GraphqlRequest, type RunningRequest } from './request.ts';
import { addScalars } from './scalars.ts';
import { typeText } from './type-text.ts';

/** A query with its services, ready to run. */
export interface MountedQuery {
  readonly query: Query;
  /** The neutral domain that the graph must have, if any. */
  readonly domain: string | undefined;
  use(): Readonly<Record<string, unknown>>;
}

export interface GraphqlParts {
  readonly queries: readonly MountedQuery[];
  readonly fields: readonly MountedField[];
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

/** Composes the queries and fields of the enabled plugins; a fresh composer each time, so that deployments never share types. */
export function composeGraphql(parts: GraphqlParts, limits: DocumentLimits): GraphqlService {
  let made: { readonly schema: GraphQLSchema; readonly run: GraphqlService['run'] } | undefined;
  let failed: { readonly reason: unknown } | undefined;
  const make = () => {
    if (made !== undefined) return made;
    // A failed build is not retried with each request, because its inputs do not change.
    if (failed !== undefined) throw failed.reason;
    try {
      const schema = schemaOf(parts);
      made = { schema, run: runner(schema, limits, pricesOf(parts, schema)) };
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

function pricesOf({ queries, fields }: GraphqlParts, schema: GraphQLSchema): Prices {
  return {
    queries: new Map(queries.map(({ query }) => [query.name, pricedField(query)])),
    nested: fieldPrices(
      schema,
      fields.map(({ field }) => field),
    ),
  };
}

function schemaOf({ queries, fields }: GraphqlParts): GraphQLSchema {
  const { SchemaComposer: Composer } = loadComposer();
  const composer = new Composer<RunningRequest>();
  addScalars(composer);
  for (const mounted of queries) addQuery(composer, mounted);
  addPluginFields(composer, fields);
  return composer.buildSchema({ keepUnusedTypes: false });
}

function addQuery(composer: SchemaComposer<RunningRequest>, mounted: MountedQuery): void {
  const { name, summary, args, returns } = mounted.query;
  const value = withoutNull(returns);
  addObjects(composer, returns);
  addEnums(composer, args);
  composer.Query.addFields({
    [name]: {
      type: typeText(value.schema) + (value.nullable ? '' : '!'),
      description: summary,
      args: argumentsOf(args),
      resolve: (_source, given, request) => resolveQuery(mounted, given, request),
    },
  });
}

async function resolveQuery(
  mounted: MountedQuery,
  given: Readonly<Record<string, unknown>>,
  request: RunningRequest,
): Promise<unknown> {
  const { query, domain } = mounted;
  const { read } = request;
  if (read === undefined && query.anonymousAnswer !== undefined) return query.anonymousAnswer;
  if (read === undefined)
    throw coded('UNAUTHENTICATED', 'Sign in to read data: send an API key in X-API-Key or a bearer token.');
  request.requireRole(query.role);
  if (domain !== undefined && !hasRecordsOfAny(read.graph, [domain, ...(query.alternativeDomains ?? [])]))
    throw coded('EXTENSION_NOT_PROVISIONED', missingExtension(read.graph, domain));
  const args = givenArguments(query.args, given);
  // Aliases of one read share one call, whatever fields they select.
  const key = `${query.name} ${canonicalJson(args)}`;
  const begun = request.reads.get(key) ?? query.resolve({ args, ctx: read, use: mounted.use() });
  request.reads.set(key, begun);
  return begun;
}

function runner(schema: GraphQLSchema, limits: DocumentLimits, prices: Prices): GraphqlService['run'] {
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
    const tooCostly = costRefusal(costOf(document, input, prices), limits.maxCost);
    if (tooCostly !== undefined) return { errors: [coded('QUERY_TOO_COMPLEX', tooCostly)] };
    return introspection.answer(input.query, document, input, async () => {
      const running: RunningRequest = { ...request, reads: new Map(), batches: new Map(), batchErrors: new Set() };
      const result = await loadGraphql().execute({
        schema,
        document,
        contextValue: running,
        variableValues: input.variables ?? null,
        operationName: input.operationName ?? null,
      });
      if (result.errors === undefined) return result;
      return { ...result, errors: withoutRepeats(result.errors, running).map((error) => maskError(error, request)) };
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

/** Keeps one error of each failed batch, at its first parent; all its parents have null. */
function withoutRepeats(errors: readonly GraphQLError[], { batchErrors }: RunningRequest): readonly GraphQLError[] {
  const reported = new Set<unknown>();
  return errors.filter(({ originalError }) => {
    if (!batchErrors.has(originalError)) return true;
    const isFirst = !reported.has(originalError);
    reported.add(originalError);
    return isFirst;
  });
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
