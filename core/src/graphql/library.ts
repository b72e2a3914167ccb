import { createRequire } from 'node:module';
import type { GraphQLError, GraphQLErrorOptions } from 'graphql';
import type { graphql } from 'graphql-compose';

const require = createRequire(import.meta.url);

/** Loaded with the first schema: it takes a tenth of a second, and many processes never serve GraphQL. */
export const loadComposer = (): typeof import('graphql-compose') => require('graphql-compose');

/** The composer's copy of graphql: two copies in one process reject each other's objects. */
export const loadGraphql = (): typeof graphql => loadComposer().graphql;

/** Creates a GraphQLError of that copy. */
export function graphqlError(message: string, options?: GraphQLErrorOptions): GraphQLError {
  return new (loadGraphql().GraphQLError)(message, options);
}
