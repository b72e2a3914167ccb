import type { ErrorKind } from '../errors/kinds.ts';
import type { Schema } from '../schema/model.ts';
import type { Transaction, TransactionOptions } from '../store/store.ts';
import type { EventType } from './event.ts';

export type GraphRole = 'viewer' | 'member' | 'admin';
export type OrgRole = 'owner' | 'admin' | 'member';

/** Who calls. Everything later (audit, limits, permission) reads this and never a header (platform A-5). */
export interface Caller {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly credential: 'jwt' | 'api_key' | 'system';
  /** First characters of the API key, for audit rows. */
  readonly keyPrefix?: string;
  readonly keyId?: string;
  /** The only graph (with its subgraphs) that a scoped API key reaches (platform K-3). */
  readonly scopeGraphId?: string;
  readonly sessionId?: string;
  readonly orgId?: string;
  readonly orgRole?: OrgRole;
}

/** Why a graph takes no writes at the moment (platform P-7, B-2). */
export type WriteBlock = 'upgrading' | 'canceled' | 'unpaid' | 'paused';

/** The tenant that a request works in. */
export interface Graph {
  readonly id: string;
  readonly orgId: string;
  readonly name: string;
  readonly type: string;
  readonly tier: string;
  /** Neutral names of the domains that the graph was created with, such as `ledger`. */
  readonly extensions: readonly string[];
  readonly parentId?: string;
  /** The caller's effective role (platform P-1). */
  readonly role: GraphRole;
  readonly writeBlock?: WriteBlock;
  /** The last charge failed and is tried again; everything works, and answers say so (platform B-2). */
  readonly isPastDue?: boolean;
}

export interface Log {
  debug(message: string, fields?: object): void;
  info(message: string, fields?: object): void;
  warn(message: string, fields?: object): void;
  error(message: string, fields?: object): void;
}

/** What every handler gets, whatever started it. */
export interface BaseContext {
  readonly caller: Caller;
  readonly requestId: string;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** The only clock that handlers read. */
  now(): Date;
}

/** A read of one graph. `tx` is read-only and shows one snapshot. */
export interface ReadContext extends BaseContext {
  readonly graph: Graph;
  readonly tx: Transaction;
}

/** An inline write of one graph: everything done through `tx` commits with the envelope or not at all (platform N-10). */
export interface WriteContext extends BaseContext {
  readonly graph: Graph;
  readonly tx: Transaction;
  readonly operationId: string;
  /** The parameters of the path beside `graph_id`, for operations with a path of their own. */
  readonly params: Readonly<Record<string, string>>;
  /** Announces a business event after the commit, to every part that subscribes to it. */
  emit<T>(event: EventType<T>, payload: T): void;
  /** Sets a header on the HTTP answer, such as the id of a row that already existed. */
  header(name: string, value: string): void;
}

/** How far a run is. */
export interface Progress {
  readonly message: string;
  /** 0 to 100. */
  readonly percent?: number;
  readonly current_step?: number;
  readonly total_steps?: number;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** What a run stops for. */
export interface Question {
  readonly prompt: string;
  /** Names the place to go on from; handed back with the answer. */
  readonly checkpoint: Readonly<Record<string, unknown>>;
  /** The answer is validated against it (platform L-19). */
  readonly schema?: Schema;
  readonly options?: readonly unknown[];
}

/** A run on the worker. It may wait for minutes, so each of its transactions is short, its own and repeatable. */
export interface RunContext extends BaseContext {
  /** Absent only for runs that no graph owns yet, such as `create-graph`. */
  readonly graph: Graph | undefined;
  readonly operationId: string;
  /** What `admit` returned when the request was accepted. */
  readonly accepted: Readonly<Record<string, unknown>> | null;
  /** 1 for the first time that a worker takes the run. */
  readonly attempt: number;
  /** The checkpoint and the answer after `ask`, when the run goes on. */
  readonly resume: { readonly checkpoint: Readonly<Record<string, unknown>>; readonly input: unknown } | undefined;
  /** A transaction in the run's own graph, or in the graph named (only where the run created it). */
  transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    options?: TransactionOptions & { graphId?: string },
  ): Promise<T>;
  report(progress: Progress): Promise<void>;
  /** Stores the question, sets `awaiting_input` and ends this attempt. It never returns. */
  ask(question: Question): Promise<never>;
  emit<T>(event: EventType<T>, payload: T): void;
}

/** Errors that a part announces: code to meaning, or code to kind and meaning. */
export type DeclaredErrors = Readonly<Record<string, string | { readonly kind: ErrorKind; readonly meaning: string }>>;
