import type { TSchema } from 'typebox';
import type { Schema, TypeOf } from '../schema/model.ts';
import type { ServiceTokens, Use } from '../services/token.ts';
import type { Transaction } from '../store/store.ts';
import type { Caller, DeclaredErrors, Graph, RunContext, WriteContext } from './context.ts';
import type { Erased } from './erased.ts';
import type { EventType } from './event.ts';
import type { Effect, RequiredRole } from './required-role.ts';

/** What is known of a request before its body is read. */
export interface Precheck {
  readonly caller: Caller;
  readonly graph: Graph | undefined;
  readonly tx: Transaction;
}

interface OperationFacts<I extends TSchema, O extends TSchema, N extends ServiceTokens> {
  /** The wire name: also the file's name. */
  readonly name: string;
  readonly summary: string;
  /** The weakest role on the graph of the path; without one, `admin` and `owner` are roles of the organization. */
  readonly role: RequiredRole;
  /** What a caller with too weak a role reads, where the standard sentence says too little. */
  readonly refusal?: string;
  readonly effect?: Exclude<Effect, 'read'>;
  readonly input: I;
  readonly output: O;
  readonly services?: N;
  /** The domain it is mounted under, when that is not the plugin's own: a contribution to another owner's domain. */
  readonly domain?: string;
  /** The path, when it is not the operations path of the domain or graph. Written as in the OpenAPI document. */
  readonly path?: `POST /${string}`;
  /** The operation's id and group in the OpenAPI document. */
  readonly openapi: { readonly id: string; readonly tag: string };
  /** True where the contract types the envelope's result as anything. */
  readonly untypedResult?: boolean;
  /** The rate limit that calls count against (platform R-5): `extensions_write` in a domain, else `graph_write`. */
  readonly category?: string;
  readonly price?: 'free';
  readonly mcp?: { readonly tool: string; readonly hint: string };
  readonly emits?: readonly EventType[];
  readonly errors?: DeclaredErrors;
  /** Error statuses that the contract lists for it without a body. */
  readonly failsPlain?: readonly number[];
  /** Marks the analytical graph stale with this reason when it succeeds. */
  readonly stale?: string;
  /**
   * Refusals that come before those of the body (platform B-6), for a request whose body is wrong as well: it is
   * asked only then, in a read-only kernel transaction, because `admit` or `handle` checks the same where it counts.
   */
  precheck?(args: Precheck & { readonly use: Use<N> }): Promise<void>;
  /** In the documents, and run by the kit. */
  readonly examples?: readonly { readonly input: TypeOf<I>; readonly given?: string }[];
}

/** A write that ends inside the request: one transaction with its audit row, envelope and events. */
export interface InlineOperationSpec<I extends TSchema, O extends TSchema, N extends ServiceTokens>
  extends OperationFacts<I, O, N> {
  readonly runs?: 'inline';
  handle(args: { readonly input: TypeOf<I>; readonly ctx: WriteContext; readonly use: Use<N> }): Promise<TypeOf<O>>;
}

/** What `admit` returns when there is nothing for a worker to do: the answer is `completed` with this result. */
export interface FinishedAtOnce {
  readonly kind: 'finished-at-once';
  readonly result: Readonly<Record<string, unknown>>;
}

/** Ends an accepted request without a run (platform N-10: decided by each request). */
export function finishedAtOnce(result: Readonly<Record<string, unknown>>): FinishedAtOnce {
  return Object.freeze({ kind: 'finished-at-once', result });
}

/** What is known of a run when it is accepted; null for nothing. */
export type Admitted = Readonly<Record<string, unknown>> | FinishedAtOnce | null;

/** Keeps a second run out until the first has ended, however it ends: completed, failed, cancelled or lost. */
export interface Exclusive<I> {
  /** Names what a run works on, within its graph; undefined where the request may run beside others. */
  names(input: I): string | undefined;
  /** One of the operation's declared errors: the code of the 409 while another run with this name is open. */
  readonly code: string;
  readonly message: string;
}

/** A write that a worker carries out; the request answers `pending`, unless `admit` finished it at once. */
export interface WorkerOperationSpec<I extends TSchema, O extends TSchema, N extends ServiceTokens>
  extends OperationFacts<I, O, N> {
  readonly runs: 'worker';
  /** The longest that one attempt may take (platform L-14). */
  readonly maxSeconds: number;
  /** May be run again from the start after its worker died (platform L-12). */
  readonly restartable: boolean;
  /** Two equal requests within 30 s are one run, unless false (platform N-13). */
  readonly dedupe?: boolean;
  /**
   * Names what the run works on, within its graph: a request for the same joins the run that has not ended, whoever
   * started it, and is answered with its id and `deduplicated: true`. It takes the place of `dedupe`.
   */
  joins?(input: TypeOf<I>): string;
  /** Only one run at a time; it takes the place of `dedupe`. */
  readonly exclusive?: Exclusive<TypeOf<I>>;
  /**
   * `kernel` accepts the request in a kernel transaction instead of the graph's: for checks that read what belongs to
   * the organization or to other graphs. The pipeline has checked the caller's role on the graph by then.
   */
  readonly acceptedIn?: 'graph' | 'kernel';
  /** Refuses early, inside the accepting transaction; what it returns is known at acceptance (platform N-6). */
  admit?(args: { readonly input: TypeOf<I>; readonly ctx: WriteContext; readonly use: Use<N> }): Promise<Admitted>;
  handle(args: { readonly input: TypeOf<I>; readonly ctx: RunContext; readonly use: Use<N> }): Promise<TypeOf<O>>;
}

/**
 * What the kernel sees: the type parameters are gone, so a plugin's type does not grow with its operations.
 * The pair of schema and handler was checked together by the signature of `defineOperation`.
 */
export interface Operation
  extends Omit<OperationFacts<Schema, Schema, ServiceTokens>, 'services' | 'effect' | 'examples' | 'precheck'> {
  readonly kind: 'operation';
  readonly runs: 'inline' | 'worker';
  readonly effect: Exclude<Effect, 'read'>;
  readonly services: ServiceTokens;
  readonly maxSeconds?: number;
  readonly restartable?: boolean;
  readonly dedupe?: boolean;
  joins?(input: Erased): string;
  readonly exclusive?: Exclusive<Erased>;
  readonly acceptedIn?: 'graph' | 'kernel';
  readonly examples?: readonly { readonly input: unknown; readonly given?: string }[];
  precheck?(args: Precheck & { readonly use: Erased }): Promise<void>;
  handle(args: { readonly input: Erased; readonly ctx: Erased; readonly use: Erased }): Promise<unknown>;
  admit?(args: { readonly input: Erased; readonly ctx: Erased; readonly use: Erased }): Promise<Admitted>;
}

/** A named write: `POST …/operations/{name}`. It goes through the envelope and nothing else. */
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
