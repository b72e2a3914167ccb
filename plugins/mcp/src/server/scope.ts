import {
  type Caller,
  type ListedTool,
  type RouteContext,
  type ToolCall,
  type ToolCatalog,
  type ToolResult,
  type ToolScope,
  tracedRequestId,
} from '@pacioli/core';
import { type Message, objectOf } from '../protocol/index.ts';

/** The circumstances of a request: its caller, its graph, and what its client can receive. */
export interface McpScope {
  readonly caller: Caller;
  readonly graphId: string;
  /** The profile of the route, such as `ledger` (ai-surface M-52). */
  readonly profile: string | undefined;
  readonly requestId: string;
  readonly origin: string;
  /** Aborted when the client disconnects (ai-surface M-12). */
  readonly signal: AbortSignal;
  /** True if the client accepts event streams, in which progress can be sent. */
  readonly isStreamed: boolean;
  /** True for the stateless revision (ai-surface 4.2a). */
  readonly isStateless: boolean;
}

/** The part of a scope that the catalog and the runs of tools take. */
export function toolScopeOf({ caller, graphId, profile }: McpScope): ToolScope {
  return { caller, graphId, ...(profile === undefined ? {} : { profile }) };
}

/** Lists the tools of a scope. */
export function toolsOf(catalog: ToolCatalog, scope: McpScope): Promise<readonly ListedTool[]> {
  return catalog.list(toolScopeOf(scope));
}

/** Calls a tool for the client of a request. */
export function callTool(
  catalog: ToolCatalog,
  scope: McpScope,
  call: Omit<ToolCall, keyof ToolScope | 'source' | 'requestId' | 'origin'>,
): Promise<ToolResult> {
  const { requestId, origin } = scope;
  return catalog.call({ ...call, ...toolScopeOf(scope), source: 'mcp', requestId, origin });
}

/**
 * The id under which a message is answered and audited: it continues the trace of `_meta`; without one, it is the id of
 * the HTTP request (ai-surface M-20g). The log records both.
 */
export function requestIdOf({ requestId, log }: Pick<RouteContext, 'requestId' | 'log'>, { params }: Message): string {
  const { traceparent } = objectOf(params?.['_meta']);
  const traced = tracedRequestId(traceparent);
  if (traced === undefined) return requestId;
  log.info('a message continues a trace', { requestId, traceparent, continuedAs: traced });
  return traced;
}
