import { createRequire } from 'node:module';
import type { GraphQLError, GraphQLErrorOptions } from 'graphql';
import type { graphql } from 'graphql-compose';

const require = createRequire(import.meta.url);

/** Loaded with the first schema: it takes a tenth of a second, and many processes are never asked by GraphQL. */
export const loadComposer = (): typeof import('graphql-compose') => require('graphql-compose');

/** The same copy of graphql as the composer's: two copies in one process refuse each other. */
export const loadGraphql = (): typeof graphql => loadComposer().graphql;

/** An error that GraphQL knows as its own. */
export function graphqlError(message: string, options?: GraphQLErrorOptions): GraphQLError {
  return new (loadGraphql().GraphQLError)(message, options);
}
