import type { TObject } from 'typebox';
import type { ServiceTokens, Use } from '../container/token.ts';
import type { Schema, TypeOf } from '../schema/model.ts';
import type { Transaction } from '../store/store.ts';
import type { BaseContext, DeclaredErrors, Graph } from './context.ts';
import type { Erased } from './erased.ts';
import type { Effect, RequiredRole } from './required-role.ts';

/** The surface through which a tool was called: an MCP client, or the loop of an AI operator. */
export type ToolSource = 'mcp' | 'operator';

/**
 * The hints of the tool of an operation or view (ai-surface M-31, ai-surface M-38), or the reason why it has none
 * (ai-surface M-50).
 */
export type ToolOfPart<U = Erased> =
  | {
      /** The name of the tool, if not that of the part. */
      readonly tool?: string;
      /** Optional fields of the input that are no arguments of the tool. */
      readonly omits?: readonly string[];
      /** One sentence that tells a model when to use it. */
      readonly hint: string;
      /** True if it only reads, such as a preview; views always do. */
      readonly isRead?: true;
      /** True if it deletes or replaces what a user may still want; by default if the effect is `destructive`. */
      readonly destructive?: boolean;
      /** True if the same call a second time changes nothing more. */
      readonly idempotent?: boolean;
      /** True if it reaches a system outside of this deployment. */
      readonly openWorld?: boolean;
      /** The effect in plain words, which a person confirms first where the client can ask (ai-surface M-20d). */
      readonly confirmation?: string;
      /** True if it may take longer than 60 seconds. */
      readonly isLong?: true;
      readonly gate?: ToolGate;
      /** False while the feature of the plugin is switched off, so that the tool does not exist (ai-surface M-30). */
      isOn?(use: U): boolean;
    }
  | { readonly held: string };

/** The tool that reads a query (ai-surface 5.2). */
export interface ToolOfQuery {
  readonly tool: string;
  /** One sentence that tells a model when to use it. */
  readonly hint: string;
}

/** The kinds of graphs. A subgraph is of kind `subgraph` only; the library is the shared graph of taxonomies. */
export type GraphKind = 'tenant' | 'subgraph' | 'repository' | 'library';

/** The graphs that have a tool (ai-surface M-30). Everything stated must hold. */
export interface ToolGate {
  /** All kinds by default for reads; writes are for tenants and subgraphs. */
  readonly graphs?: readonly GraphKind[];
  /** The graph needs this domain, by its neutral name; by default that of the operation or view, or none for a tool. */
  readonly domain?: string;
  /** The graph needs any domain. */
  readonly anyDomain?: true;
  /** The tiers of graphs that have it, by wire id. */
  readonly tiers?: readonly string[];
  /** Administration of the graph itself, which the routes of a profile leave out (ai-surface M-52). */
  readonly isAdministration?: true;
}

/** The context of a tool's handler. */
export interface ToolContext extends BaseContext {
  readonly graph: Graph;
  readonly source: ToolSource;
  /** The address of this service for the caller, without a slash at its end, for links in the result. */
  readonly serviceUrl: string;
  /**
   * Opens a transaction in the graph's scope. A tool that reads gets a read-only snapshot. The first transaction of a
   * tool that writes also stores its audit row (ai-surface M-15).
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** True if the caller reads a stream, so that it may wait long and sees what `report` says (ai-surface M-13). */
  readonly isStreamed: boolean;
  /** Tells the caller how far the call is; `percent` is 0 to 100. */
  report(message: string, percent?: number): void;
  /**
   * Queues the run with the tool's own name, which continues the call in the background; the handler returns the result
   * of this function. Undefined if the caller waits for the result, or the tool has no `mayStartRun` (ai-surface M-20e).
   */
  readonly startRun: ((input: unknown) => Promise<StartedRun>) | undefined;
}

/** Returned by a handler in place of its result, when a run continues the call. */
export class StartedRun {
  readonly operationId: string;

  constructor(operationId: string) {
    this.operationId = operationId;
  }
}

/** A tool that is not just an operation or a view (ai-surface 5). */
export interface ToolSpec<I extends TObject, N extends ServiceTokens> {
  /** kebab-case, unique in a deployment, and the file's name. */
  readonly name: string;
  /** A few words for people. */
  readonly title: string;
  /** Tells a model the effect of the tool and when to use it. */
  readonly description: string;
  readonly role: RequiredRole;
  readonly effect: Effect;
  /** True if the same call a second time changes nothing more; reads always are. */
  readonly idempotent?: boolean;
  /** True if it reaches a system outside of this deployment. */
  readonly openWorld?: boolean;
  readonly confirmation?: string;
  /** True if it may take longer than 60 seconds; its limit is 300 seconds instead. */
  readonly isLong?: true;
  /** True if a call that would wait long may go on as a run: the plugin has a run of the tool's name (ai-surface M-20e). */
  readonly mayStartRun?: true;
  readonly gate?: ToolGate;
  /** Closed: unknown arguments are refused. */
  readonly input: I;
  /** With it, the result is also sent as `structuredContent`. */
  readonly output?: Schema;
  readonly services?: N;
  readonly errors?: DeclaredErrors;
  /** False while the feature of the plugin is switched off, so that the tool does not exist. */
  isOn?(use: Use<N>): boolean;
  /** Returns the result, which is sent as JSON, or a text that is sent as it is. A ServiceError is an error result. */
  handle(args: { readonly input: TypeOf<I>; readonly ctx: ToolContext; readonly use: Use<N> }): Promise<unknown>;
}

/** A tool with its types erased, as the kernel uses it. */
export interface Tool extends Omit<ToolSpec<TObject, ServiceTokens>, 'services' | 'isOn' | 'handle'> {
  readonly kind: 'tool';
  readonly services: ServiceTokens;
  isOn?(use: Erased): boolean;
  handle(args: { readonly input: Erased; readonly ctx: ToolContext; readonly use: Erased }): Promise<unknown>;
}

/** Defines a tool for AI clients and operators. It has no path of its own. */
export function defineTool<I extends TObject, const N extends ServiceTokens = Record<never, never>>(
  spec: ToolSpec<I, N>,
): Tool {
  const erased: unknown = { kind: 'tool', ...spec, services: spec.services ?? {} };
  return Object.freeze(erased as Tool); // The types were checked together by the signature.
}

/** The name of the tool of an operation or view; undefined if it has none. */
export function toolNameOf(part: {
  readonly name: string;
  readonly mcp?: ToolOfPart | ToolOfQuery | undefined;
}): string | undefined {
  if (part.mcp === undefined || 'held' in part.mcp) return undefined;
  return part.mcp.tool ?? part.name;
}
