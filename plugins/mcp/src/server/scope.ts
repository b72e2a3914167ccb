import type { Caller, ListedTool, ToolCatalog } from '@pacioli/core';

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
