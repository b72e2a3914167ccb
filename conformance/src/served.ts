import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery, printSchema } from 'graphql';
import { Client } from './client.ts';
import { type DocumentedOperation, operationsOf } from './diff-openapi.ts';
import { isObject } from './json.ts';

/** The documents that a deployment serves. */
export interface Served {
  readonly openapi: unknown;
  readonly sdl: string;
  readonly operations: readonly DocumentedOperation[];
  /** True for an operation (`GET /v1/status`) or a domain (`ledger`) of this deployment. */
  has(name: string): boolean;
  /** The path of a named operation, with the placeholder of the graph's id. */
  pathOf(operation: string): string | undefined;
}

/** Domain names that published clients use. */
const published: Readonly<Record<string, string>> = { roboledger: 'ledger', roboinvestor: 'investor' };

/** A well-formed graph id that no deployment issues. */
const noGraph = `kg${'0'.repeat(20)}`;

/** Reads the documents of a deployment. */
export async function readServed(url: string): Promise<Served> {
  const client = new Client(url);
  const answer = await client.get('/openapi.json').catch((error: unknown) => {
    throw new Error(`There is no deployment at ${url}. Start one, or give another --url.`, { cause: error });
  });
  if (answer.status !== 200 || !isObject(answer.body))
    throw new Error(`${url}/openapi.json answered ${answer.status}; a deployment serves its OpenAPI document there.`);
  return servedOf(answer.body, await readSdl(client));
}

/** The SDL served as text, or else the result of introspection. */
async function readSdl(client: Client): Promise<string> {
  const text = await client.get('/schema.graphql');
  if (text.status === 200 && typeof text.body === 'string') return text.body;
  const answer = await client.graphql(noGraph, getIntrospectionQuery());
  const data = isObject(answer.body) ? answer.body['data'] : undefined;
  if (!isObject(data))
    throw new Error(
      `Neither ${client.url}/schema.graphql nor introspection returns the GraphQL schema (${answer.status}).`,
    );
  return printSchema(buildClientSchema(data as unknown as IntrospectionQuery)); // As the query asked.
}

export function servedOf(openapi: unknown, sdl: string): Served {
  const operations = operationsOf(openapi);
  const names = new Set(operations.map(({ name }) => name));
  const domains = new Set(
    operations.flatMap(({ path }) => {
      const segment = /^\/extensions\/([^/{]+)\/\{graph_id\}\/operations\//.exec(path)?.[1];
      return segment === undefined ? [] : [segment, published[segment] ?? segment];
    }),
  );
  return {
    openapi,
    sdl,
    operations,
    has: (name) => names.has(name) || domains.has(name),
    pathOf: (operation) => operations.find(({ path }) => path.endsWith(`/operations/${operation}`))?.path,
  };
}
