import { type Caller, type ListedTool, type RouteContext, type ToolCatalog, tracedRequestId } from '@pacioli/core';
import type { Message } from '../protocol/index.ts';

/** Whom a request is answered for, and on which graph. */
export interface McpScope {
  readonly caller: Caller;
  readonly graphId: string;
  /** The profile of the route, such as `ledger` (ai-surface M-52). */
  readonly profile: string | undefined;
  readonly requestId: string;
  readonly origin: string;
  /** Ends when the client disconnects (ai-surface M-12). */
  readonly signal: AbortSignal;
  /** True if the client takes event streams, in which progress can be sent. */
  readonly isStreamed: boolean;
  readonly isStateless: boolean;
}

/** Lists the tools of a scope. */
export function toolsOf(catalog: ToolCatalog, scope: McpScope): Promise<readonly ListedTool[]> {
  const { caller, graphId, profile } = scope;
  return catalog.list({ caller, graphId, ...(profile === undefined ? {} : { profile }) });
}

/**
 * The id under which a message is answered and audited: it continues the trace that `_meta` names, else it is the id of
 * the HTTP request (ai-surface M-20g). A line of the log has both.
 */
export function requestIdOf({ requestId, log }: Pick<RouteContext, 'requestId' | 'log'>, { params }: Message): string {
  const meta = Object(params?.['_meta']) as Readonly<Record<string, unknown>>; // Any other value has no such field.
  const traced = tracedRequestId(meta['traceparent']);
  if (traced === undefined) return requestId;
  log.info('a message continues a trace', { requestId, traceparent: meta['traceparent'], continuedAs: traced });
  return traced;
}
