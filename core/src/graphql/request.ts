import type DataLoader from 'dataloader';
import type { GraphQLError } from 'graphql';
import type { QueryContext } from '../define/context.ts';
import type { RequiredRole } from '../define/required-role.ts';
import { graphqlError } from './library.ts';

/** The request data that the resolvers need. */
export interface GraphqlRequest {
  /** Undefined for an anonymous caller, who may only introspect and call `hello` (platform E-21). */
  readonly read: QueryContext | undefined;
  readonly requestId: string;
  /** Throws unless the caller has the role on the graph. */
  requireRole(role: RequiredRole): void;
  /** Called for an unexpected error. */
  onInternalError(error: unknown): void;
}

/** A request in progress, with the reads that it has started. */
export interface RunningRequest extends GraphqlRequest {
  readonly reads: Map<string, Promise<unknown>>;
  /** By field and arguments. */
  readonly batches: Map<string, DataLoader<object, unknown>>;
  /** The errors of failed batches, which the answer reports once instead of for each parent. */
  readonly batchErrors: Set<unknown>;
}

/** Creates an error with a code of the interface. */
export function coded(code: string, message: string, extra: object = {}): GraphQLError {
  return graphqlError(message, { extensions: { code, ...extra } });
}
