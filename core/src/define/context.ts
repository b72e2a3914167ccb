import type { ErrorKind } from '../errors/kinds.ts';
import type { Schema } from '../schema/model.ts';
import type { Transaction, TransactionOptions } from '../store/store.ts';
import type { EventType } from './event.ts';

export type GraphRole = 'viewer' | 'member' | 'admin';
export type OrgRole = 'owner' | 'admin' | 'member';

/** The authenticated caller. Audit, limits and permissions read this and never a header (platform A-5). */
export interface Caller {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly credential: 'jwt' | 'api_key' | 'oauth' | 'system';
  /** The grant of an OAuth token, for audit rows (ai-surface M-15). */
  readonly grantId?: string;
  /** First characters of the API key, for audit rows. */
  readonly keyPrefix?: string;
  readonly keyId?: string;
  /** The only graph (with its subgraphs) that a scoped API key can access (platform K-3). */
  readonly scopeGraphId?: string;
  readonly sessionId?: string;
  readonly orgId?: string;
  readonly orgRole?: OrgRole;
}

/** The reason why a graph refuses writes (platform P-7, B-2). */
export type WriteBlock = 'upgrading' | 'canceled' | 'unpaid' | 'paused';

/** The tenant of a request. */
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
  /** True while a failed charge is being retried; everything still works, and responses report it (platform B-2). */
  readonly isPastDue?: boolean;
  /** It was deleted, and is only seen by parts with `onFormerGraphs`. */
  readonly isFormer?: true;
}

/** The log of the host; a line has a message, and fields for programs that read it. */
export interface Log {
  debug(message: string, fields?: object): void;
  info(message: string, fields?: object): void;
  warn(message: string, fields?: object): void;
  error(message: string, fields?: object): void;
}

/** The context of every handler. */
export interface BaseContext {
  readonly caller: Caller;
  readonly requestId: string;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** The only clock that handlers may read. */
  now(): Date;
}

/** The context of a read of one graph. `tx` is a read-only snapshot. */
export interface ReadContext extends BaseContext {
  readonly graph: Graph;
  readonly tx: Transaction;
}

/** The context of a query: a read whose response may grant something. */
export interface QueryContext extends ReadContext {
  /** The address of this service for the caller, without a slash at its end, for links in the response. */
  readonly serviceUrl: string;
  /**
   * Writes what the response promises, such as the grant of a download, in a transaction of the graph after all reads and
   * before the response is sent. If it fails, the request fails.
   */
  afterReads(work: (tx: Transaction) => Promise<void>): void;
}

/** The surface through which a call reached the service; audit rows store it (ai-surface M-15). */
export type Surface = 'rest' | 'mcp' | 'operator' | 'worker' | 'in-process';

/** The context of an inline write: all changes through `tx` commit with the envelope or not at all (platform N-10). */
export interface WriteContext extends BaseContext {
  readonly graph: Graph;
  readonly tx: Transaction;
  readonly operationId: string;
  readonly surface: Surface;
  /** The address of this service for the caller, without a slash at its end, for links in the response. */
  readonly serviceUrl: string;
  /** The path parameters other than `graph_id`, for operations with a custom path. */
  readonly params: Readonly<Record<string, string>>;
  /** Emits a business event, delivered to its subscribers after the commit. */
  emit<T>(event: EventType<T>, payload: T): void;
  /** Sets a header of the HTTP response, such as the id of a row that already existed. */
  header(name: string, value: string): void;
}

/** The progress of a run. */
export interface Progress {
  readonly message: string;
  /** 0 to 100. */
  readonly percent?: number;
  readonly current_step?: number;
  readonly total_steps?: number;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The input that a run waits for. */
export interface Question {
  readonly prompt: string;
  /** The state to resume from; passed back with the answer. */
  readonly checkpoint: Readonly<Record<string, unknown>>;
  /** The answer is validated against it (platform L-19). */
  readonly schema?: Schema;
  readonly options?: readonly unknown[];
}

/** The context of a run on the worker. A run may take minutes, so its transactions must be short and repeatable. */
export interface RunContext extends BaseContext {
  /** Absent only for runs without a graph, such as `create-graph`. */
  readonly graph: Graph | undefined;
  readonly operationId: string;
  /** The result of `admit` when the request was accepted. */
  readonly accepted: Readonly<Record<string, unknown>> | null;
  /** 1 for the first attempt of a worker; no two attempts of a run have the same number (platform L-10a). */
  readonly attempt: number;
  /** The checkpoint and the answer after `ask`, when the run resumes. */
  readonly resume: { readonly checkpoint: Readonly<Record<string, unknown>>; readonly input: unknown } | undefined;
  /** Opens a transaction in the run's graph, or in the named graph if the run created it. */
  transaction<T>(
    work: (tx: Transaction) => Promise<T>,
    options?: TransactionOptions & { graphId?: string },
  ): Promise<T>;
  report(progress: Progress): Promise<void>;
  /**
   * Appends an event of the part's own kind to the stream of this run, such as `operator_started`, at once. Its type
   * begins with another word than `operation_` and `stream_`, which are the kernel's (platform V-4a).
   */
  announce(type: string, payload: Readonly<Record<string, unknown>>): Promise<void>;
  /** Stores the question, sets `awaiting_input` and ends this attempt. It never returns. */
  ask(question: Question): Promise<never>;
  emit<T>(event: EventType<T>, payload: T): void;
}

/** An error that a part declares. */
export interface DeclaredError {
  readonly kind: ErrorKind;
  readonly meaning: string;
  /** The package whose tests provoke it, if the part only passes it on; the conformance kit then asks for no example. */
  readonly testedBy?: string;
}

/** The errors that a part declares: code to meaning, or code to its facts. */
export type DeclaredErrors = Readonly<Record<string, string | DeclaredError>>;
