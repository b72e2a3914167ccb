import type { TSchema } from 'typebox';
import type { ServiceTokens, Use } from '../container/token.ts';
import type { Schema, TypeOf } from '../schema/model.ts';
import type { Transaction } from '../store/store.ts';
import type { Caller, DeclaredErrors, Graph, RunContext, WriteContext } from './context.ts';
import type { Erased } from './erased.ts';
import type { EventType } from './event.ts';
import type { Example } from './example.ts';
import type { Effect, RequiredRole } from './required-role.ts';
import type { ToolOfPart } from './tool.ts';

/** The facts of a request before its body is read. */
export interface Precheck {
  readonly caller: Caller;
  readonly graph: Graph | undefined;
  readonly tx: Transaction;
}

interface OperationFacts<I extends TSchema, O extends TSchema, N extends ServiceTokens> {
  /** The wire name, which is also the file's name. */
  readonly name: string;
  readonly summary: string;
  /** The minimum role on the graph of the path; without one, `admin` and `owner` are roles of the organization. */
  readonly role: RequiredRole;
  /** Allowed while the subscription of the graph blocks writes, such as to delete it. */
  readonly whileBlocked?: boolean;
  /** Also entered for a deleted graph by owners and admins of its organization, so that a repeated call is answered. */
  readonly onFormerGraphs?: boolean;
  /** Replaces the standard message for a caller whose role is insufficient. */
  readonly refusal?: string;
  readonly effect?: Exclude<Effect, 'read'>;
  readonly input: I;
  readonly output: O;
  readonly services?: N;
  /** The domain it is mounted under, if not the plugin's own: a contribution to another plugin's domain. */
  readonly domain?: string;
  /** Domains that serve instead of the one it is mounted under: the graph needs any of them. */
  readonly alternativeDomains?: readonly string[];
  /** A custom path, instead of the operations path of the domain or graph, written as in the OpenAPI document. */
  readonly path?: `POST /${string}`;
  /** The operation's id and group in the OpenAPI document. */
  readonly openapi: { readonly id: string; readonly tag: string };
  /** True if the contract does not type the result of the envelope. */
  readonly untypedResult?: boolean;
  /** The rate limit that calls count against (platform R-5): `extensions_write` in a domain, else `graph_write`. */
  readonly category?: string;
  readonly price?: 'free';
  /** Its tool for AI clients, or the reason why it has none; every part of a graph states one (ai-surface M-50). */
  readonly mcp?: ToolOfPart<Use<N>>;
  readonly emits?: readonly EventType[];
  readonly errors?: DeclaredErrors;
  /** Error statuses that the contract lists for it without a body. */
  readonly failsPlain?: readonly number[];
  /** Marks the analytical graph stale with this reason when it succeeds. */
  readonly stale?: string;
  /**
   * Throws refusals that take precedence over errors of the body (platform B-6). Called only for an invalid body, in a
   * read-only kernel transaction, because `admit` or `handle` makes the same checks otherwise.
   */
  precheck?(args: Precheck & { readonly use: Use<N> }): Promise<void>;
  /** Shown in the documents and run by the conformance kit. */
  readonly examples?: readonly Example<TypeOf<I>>[];
}

/** The request before its transaction. */
export type PrepareContext = Pick<
  WriteContext,
  'caller' | 'graph' | 'now' | 'signal' | 'log' | 'requestId' | 'surface'
>;

/** A write that completes within the request: one transaction with its audit row, envelope and events. */
export interface InlineOperationSpec<I extends TSchema, O extends TSchema, N extends ServiceTokens>
  extends OperationFacts<I, O, N> {
  readonly runs?: 'inline';
  /**
   * Refuses by what the transaction of the request cannot read, such as the members of the graph, or does work that
   * needs transactions of its own; outside of any transaction, after the checks of the role and of the body. Such work
   * must be repeatable, since it may be followed by a refusal or a crash; its result is passed to `handle`.
   */
  prepare?(args: { readonly input: TypeOf<I>; readonly ctx: PrepareContext; readonly use: Use<N> }): Promise<unknown>;
  handle(args: {
    readonly input: TypeOf<I>;
    readonly ctx: WriteContext;
    readonly use: Use<N>;
    /** The result of `prepare`; undefined without it. */
    readonly prepared: unknown;
  }): Promise<TypeOf<O>>;
  /**
   * Rebuilds the result of a completed call from rows that the domain keeps, so that the kernel stores no copy of it
   * (platform N-5a). Returns what `handle` returned, even if the rows have changed since, and undefined only if the rows
   * were removed with their graph. Called for replays and status reads, in a transaction with the scope of the call.
   */
  restoreResult?(args: { readonly call: CompletedCall; readonly use: Use<N> }): Promise<TypeOf<O> | undefined>;
}

/** An earlier call that completed, without its result. */
export interface CompletedCall {
  readonly operationId: string;
  readonly userId: string;
  /** The ids of the result by field name, as in the audit row (platform N-31). */
  readonly ids: Readonly<Record<string, readonly string[]>>;
  readonly tx: Transaction;
}

/** Returned by `prepare` or `admit` if there is no work for a worker: the response is `completed` with this result. */
export interface FinishedAtOnce {
  readonly kind: 'finished-at-once';
  readonly result: Readonly<Record<string, unknown>>;
}

/** Completes an accepted request without a run (platform N-10: decided for each request). */
export function finishedAtOnce(result: Readonly<Record<string, unknown>>): FinishedAtOnce {
  return Object.freeze({ kind: 'finished-at-once', result });
}

/** The facts of a run that are known at acceptance, or null. */
export type Admitted = Readonly<Record<string, unknown>> | FinishedAtOnce | null;

/** Refuses a second run until the first has ended: completed, failed, canceled or lost. */
export interface Exclusive<I> {
  /** Names the subject of a run within its graph; undefined if the request may run concurrently with others. */
  names(input: I): string | undefined;
  /** One of the operation's declared errors: the code of the 409 while another run with this name is open. */
  readonly code: string;
  readonly message: string;
}

/** A write that a worker executes; the response is `pending`, unless `admit` finished it at once. */
export interface WorkerOperationSpec<I extends TSchema, O extends TSchema, N extends ServiceTokens>
  extends OperationFacts<I, O, N> {
  readonly runs: 'worker';
  /** The time limit of one attempt (platform L-14). */
  readonly maxSeconds: number;
  /** True if it may restart from the beginning after its worker died (platform L-12). */
  readonly restartable: boolean;
  /** Fails instead of being queued again when its worker stops, because it may have written (platform H-5, L-12). */
  readonly isNeverRepeated?: true;
  /** The status of the response where the contract has 200 also for a pending run (platform N-3); by default 202. */
  readonly acceptedStatus?: 200;
  /** Equal requests within 30 s join one run, unless false (platform N-13). */
  readonly dedupe?: boolean;
  /**
   * Names the subject of the run within its graph: a request with the same subject joins the open run, whoever started
   * it, and gets its id and `deduplicated: true`. Replaces `dedupe`.
   */
  joins?(input: TypeOf<I>): string;
  /** Allows only one run at a time. Replaces `dedupe`. */
  readonly exclusive?: Exclusive<TypeOf<I>>;
  /**
   * `kernel` accepts the request in a kernel transaction instead of the graph's, for checks that read rows of the
   * organization or of other graphs. The pipeline has already checked the caller's role on the graph.
   */
  readonly acceptedIn?: 'graph' | 'kernel';
  /**
   * Works outside of any transaction before `admit`, after the checks of the role and of the body: calls to engines or
   * files. It must be repeatable, since it may be followed by a refusal or a crash; its result is passed to `admit`,
   * unless it is `finishedAtOnce`, which completes the request and takes no place among the open runs.
   */
  prepare?(args: { readonly input: TypeOf<I>; readonly ctx: PrepareContext; readonly use: Use<N> }): Promise<unknown>;
  /** Refuses early, inside the accepting transaction; its result is part of the acceptance (platform N-6). */
  admit?(args: {
    readonly input: TypeOf<I>;
    readonly ctx: WriteContext;
    readonly use: Use<N>;
    readonly prepared: unknown;
  }): Promise<Admitted>;
  handle(args: { readonly input: TypeOf<I>; readonly ctx: RunContext; readonly use: Use<N> }): Promise<TypeOf<O>>;
}

/**
 * An operation with its types erased, as the kernel uses it, so a plugin's type does not grow with its operations.
 * The pair of schema and handler was checked together by the signature of `defineOperation`.
 */
export interface Operation
  extends Omit<OperationFacts<Schema, Schema, ServiceTokens>, 'services' | 'effect' | 'examples' | 'precheck' | 'mcp'> {
  readonly kind: 'operation';
  readonly runs: 'inline' | 'worker';
  readonly effect: Exclude<Effect, 'read'>;
  readonly services: ServiceTokens;
  readonly mcp?: ToolOfPart;
  readonly maxSeconds?: number;
  readonly restartable?: boolean;
  readonly isNeverRepeated?: true;
  readonly dedupe?: boolean;
  readonly acceptedStatus?: 200;
  joins?(input: Erased): string;
  readonly exclusive?: Exclusive<Erased>;
  readonly acceptedIn?: 'graph' | 'kernel';
  readonly examples?: readonly Example<unknown>[];
  precheck?(args: Precheck & { readonly use: Erased }): Promise<void>;
  handle(args: {
    readonly input: Erased;
    readonly ctx: Erased;
    readonly use: Erased;
    readonly prepared?: unknown;
  }): Promise<unknown>;
  restoreResult?(args: { readonly call: CompletedCall; readonly use: Erased }): Promise<unknown>;
  prepare?(args: { readonly input: Erased; readonly ctx: PrepareContext; readonly use: Erased }): Promise<unknown>;
  admit?(args: {
    readonly input: Erased;
    readonly ctx: Erased;
    readonly use: Erased;
    readonly prepared: unknown;
  }): Promise<Admitted>;
}

/** Defines a named write, `POST …/operations/{name}`, which always uses the envelope. */
export function defineOperation<
  I extends TSchema,
  O extends TSchema,
  const N extends ServiceTokens = Record<never, never>,
>(spec: InlineOperationSpec<I, O, N> | WorkerOperationSpec<I, O, N>): Operation {
  const erased: unknown = {
    kind: 'operation',
    ...spec,
    runs: spec.runs ?? 'inline',
    effect: spec.effect ?? 'write',
    services: spec.services ?? {},
  };
  return Object.freeze(erased as Operation); // The types were checked together by the signature.
}
