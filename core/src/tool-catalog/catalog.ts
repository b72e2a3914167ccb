import { createToken, type Token } from '../container/token.ts';
import type { Caller } from '../define/context.ts';
import type { Effect } from '../define/required-role.ts';
import type { ToolSource } from '../define/tool.ts';

/** A JSON Schema object as clients get it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A tool as it is shown to a caller who may use it. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** An object schema without references and without alternatives at its top (ai-surface M-31). */
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  /** The hints of the protocol (ai-surface M-38). */
  readonly annotations: {
    readonly title: string;
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
  readonly effect: Effect;
  /** The effect in plain words, for a person to confirm before the call (ai-surface M-20d). */
  readonly confirmation?: string;
  /** True if a call may take longer than 60 seconds. */
  readonly isLong: boolean;
  /** True if a call queues a run of the worker, whose operation can be followed (ai-surface M-20e). */
  readonly startsRun: boolean;
  /** True if a call may start a run instead of waiting, for a caller who follows runs. */
  readonly mayStartRun: boolean;
}

/** The graph that tools are listed and called on, and for whom. */
export interface ToolScope {
  readonly caller: Caller;
  readonly graphId: string;
  /** The route profile, such as `ledger` (ai-surface M-52). */
  readonly profile?: string;
}

export interface ToolCall extends ToolScope {
  readonly name: string;
  readonly arguments: unknown;
  readonly source: ToolSource;
  /** The same key of the same user calls an operation once (ai-surface M-36). */
  readonly idempotencyKey?: string;
  readonly signal: AbortSignal;
  readonly requestId?: string;
  /** Scheme, host and port that the client used, for links in results. */
  readonly origin?: string;
  /**
   * `start` returns as soon as a run is queued, and lets a read that would wait start one; by default the call waits until
   * the end, at most 300 seconds.
   */
  readonly runs?: 'wait' | 'start';
  /** True if the answer is a stream, so that a read may wait for its turn up to 300 seconds (ai-surface M-13). */
  readonly isStreamed?: boolean;
  /** Called with the progress; `percent` is 0 to 100. */
  readonly progress?: (message: string, percent?: number) => void;
}

/** The result of a call. Refusals and failures are results too, so that the model can tell the user (ai-surface M-9). */
export interface ToolResult {
  /** At most 200,000 characters. */
  readonly text: string;
  /** Present if the tool declares an output schema, or the result was shortened. */
  readonly structured?: unknown;
  readonly isError: boolean;
  /** The code of an error in snake_case, such as `portfolio_not_found` (ai-surface M-34). */
  readonly code?: string;
  readonly truncated?: true;
  /** The operation that a write recorded or started. */
  readonly operationId?: string;
  /** True if the operation was started and has not ended. */
  readonly isPending?: true;
}

/** The tools of a deployment, for the MCP endpoint and for AI operators (ai-surface 5). */
export interface ToolCatalog {
  /**
   * Lists the tools that this caller may use on this graph, by name (ai-surface M-30). Throws the refusals of entering
   * the graph: 403 without a role, 404 for a deleted one. Equal lists are mostly the same array, so that what is made from
   * one can be kept in a `WeakMap`.
   */
  list(scope: ToolScope): Promise<readonly ListedTool[]>;
  /**
   * The error result of a call whose arguments do not fit the tool of this name; undefined if they do, or without such a
   * tool. Executes nothing, and checks no rights.
   */
  problemOf(call: Pick<ToolCall, 'name' | 'arguments'>): ToolResult | undefined;
  /** Calls a tool that the caller would see in the list; every other name is an error result (ai-surface M-35). */
  call(call: ToolCall): Promise<ToolResult>;
}

export const toolCatalog: Token<ToolCatalog> = createToken('kernel.tool-catalog');
