import { createToken, type Token } from '../container/token.ts';
import type { Caller, Graph } from '../define/context.ts';
import type { GraphqlAnswer } from './compose.ts';

/** The GraphQL schema of this deployment, for tools. */
export interface GraphqlReads {
  readonly sdl: string;
  /** Runs a request on a graph that the caller may read. Failures of fields are in `errors`. */
  run(call: {
    readonly caller: Caller;
    readonly graph: Graph;
    readonly query: string;
    readonly variables: Readonly<Record<string, unknown>> | undefined;
    readonly requestId: string;
    readonly signal: AbortSignal;
    readonly serviceUrl: string;
  }): Promise<GraphqlAnswer>;
}

export const graphqlReads: Token<GraphqlReads> = createToken('kernel.graphql-reads');
