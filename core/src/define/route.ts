import type { TObject, TSchema } from 'typebox';
import type { ServiceTokens, Use } from '../container/token.ts';
import type { ValidationErrors } from '../errors/to-wire.ts';
import type { Schema, TypeOf } from '../schema/model.ts';
import type { KernelSettings } from '../settings/kernel-settings.ts';
import type { BaseContext, Caller, DeclaredErrors, Graph } from './context.ts';
import type { Erased } from './erased.ts';
import type { Effect, RequiredRole } from './required-role.ts';

/** The kinds of credentials that a route accepts; a route with an empty list is public. */
export type AuthKind = 'api-key' | 'bearer' | 'token-in-query';

export type PathParameters<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & PathParameters<Rest>
  : unknown;

/** The checks of platform N-7 for a route without `auth`, whose handler decides when and how a call is entered. */
export interface RouteEntry {
  /**
   * Returns the caller of a key or session, or undefined without one; throws 401 for a bad one. A failure counts against
   * the address of the caller.
   */
  authenticate(accepts: readonly AuthKind[]): Promise<Caller | undefined>;
  /** Counts a credential that the handler refused against the address of the caller; throws 429 at the limit. */
  refused(): Promise<void>;
  /** Returns the graph with the caller's role; throws 403 without one, and 404 for a deleted graph. */
  graph(caller: Caller, graphId: string): Promise<Graph>;
  /** Counts the call of this caller on this graph; throws 429 at the limit. The response gets the headers of limits. */
  admit(caller: Caller, graph: Graph | undefined): Promise<void>;
}

/** The context of a route's handler. `graph` is set exactly if the path has `{graph_id}` and the route has a role. */
export interface RouteContext extends BaseContext {
  readonly graph: Graph | undefined;
  /** Undefined on a public route without a credential. */
  readonly principal: Caller | undefined;
  /** The bearer token as sent, for the routes that renew or end a session. */
  readonly bearerToken: string | undefined;
  readonly ip: string;
  readonly userAgent: string;
  /** The raw body, on routes with `rawBody`; else empty. */
  readonly rawBody: string;
  /** The bytes of the body with back-pressure, on routes with `streamBody`; read them once, up to a limit. */
  bodyStream(): AsyncIterable<Uint8Array>;
  /** Reads the body as text, on a route without `body`; throws 413 beyond the limit of bodies. */
  readBody(): Promise<string>;
  /** Enters calls of a rate category (platform R-4), on a route without `auth`. */
  entry(category: string): RouteEntry;
  /** Scheme, host and port that the client used. */
  readonly origin: string;
  /** The address of this service for the caller, without a slash at its end, for links in the response. */
  readonly serviceUrl: string;
  /** The names of query parameters that occur more than once; `query` has the last value of each. */
  readonly repeatedQuery: readonly string[];
  header(name: string): string | undefined;
}

/** A response with an explicit status or headers. A plain value means the route's first status. */
export interface Answer {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The body as JSON that is already written, instead of `body`; sent as it is and not checked against the model. */
  readonly json?: string;
}

/**
 * A body that is pulled chunk by chunk, so that a slow client applies back-pressure.
 * The first chunk is awaited before the headers are sent, so that an early failure still gets a status.
 */
export interface StreamAnswer {
  readonly kind: 'stream';
  readonly status: number;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends the headers at once, before the first chunk (event streams). */
  readonly eager?: boolean;
  readonly chunks: AsyncIterable<string | Uint8Array>;
}

/** Responds with an explicit status or headers. */
export function answer(status: number, body?: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return { kind: 'answer', status, body, headers };
}

/** Responds with server-sent events: the headers are sent at once, and neither caches nor proxies hold the events back. */
export function eventStream(chunks: StreamAnswer['chunks']): StreamAnswer {
  return {
    kind: 'stream',
    status: 200,
    contentType: 'text/event-stream; charset=utf-8',
    headers: { 'Cache-Control': 'no-cache', 'X-Accel-Buffering': 'no' },
    eager: true,
    chunks,
  };
}

export interface RouteSpec<P extends string, B extends TSchema, Q extends TObject, N extends ServiceTokens> {
  /** The route's name in kebab-case, which is also the file's name. */
  readonly name: string;
  /** Method and path as in the OpenAPI document. */
  readonly path: P;
  readonly summary: string;
  readonly openapi: { readonly id: string; readonly tag: string };
  /** The rate limit that calls count against (platform ); null without a `limit` is for health checks. */
  readonly category: string | null;
  /** Replaces the number of the category; also applies without a category (platform R-6). */
  readonly limit?: { readonly maxCalls: number; readonly seconds: number; readonly per: 'ip' | 'user' };
  readonly auth: readonly AuthKind[];
  /** Checks a credential if one is sent, but does not require it. */
  readonly authOptional?: boolean;
  /** The required role on the graph of the path. Without it the handler decides. */
  readonly role?: RequiredRole;
  readonly effect?: Effect;
  /** Allowed while the subscription of the graph blocks writes, although the role is more than viewer. */
  readonly whileBlocked?: boolean;
  /** Also answers for a deleted graph, to owners and admins of its organization for 90 days (graphs B-15). */
  readonly onFormerGraphs?: boolean;
  /** Allows keys that are bound to one graph (platform K-3). Graph routes always do. */
  readonly scopedKeys?: boolean;
  readonly body?: B;
  /** If false, an empty body counts as `{}`; otherwise a missing body is refused. */
  readonly bodyRequired?: boolean;
  /** The body is not parsed: the handler reads `ctx.rawBody` exactly as sent (signed messages, forms). */
  readonly rawBody?: boolean;
  /** The body is not read: the handler reads `ctx.bodyStream()`, such as a file of any length. */
  readonly streamBody?: boolean;
  /** Parses whole numbers of the body beyond ±(2^53−1) as bigint instead of rounding them. */
  readonly exactIntegers?: boolean;
  readonly query?: Q;
  /** Status to schema; null is a status without a body, `anything()` an untyped one. The first is the default. */
  readonly answers: Readonly<Record<number, Schema | null>>;
  /** Error statuses in the OpenAPI document. Those with a body have the standard one. */
  readonly fails: readonly number[];
  /** Error statuses that the contract lists without a body. */
  readonly failsPlain?: readonly number[];
  readonly validationErrors?: ValidationErrors;
  readonly services?: N;
  readonly errors?: DeclaredErrors;
  /** Headers that the document lists but that are read elsewhere. */
  readonly documentedHeaders?: readonly string[];
  /** Cookies that the document lists for older clients; no credential is ever read from a cookie (platform A-1). */
  readonly documentedCookies?: readonly string[];
  /** If false, the route is not mounted: it is 404 and undocumented. */
  readonly isOn?: (settings: KernelSettings) => boolean;
  /** Not in the OpenAPI document: pages, health checks. */
  readonly hidden?: boolean;
  /** Throws refusals that do not depend on the body, before the body is validated. */
  precheck?(args: {
    readonly params: PathParameters<P>;
    readonly ctx: RouteContext;
    readonly use: Use<N>;
  }): Promise<void>;
  handle(args: {
    readonly params: PathParameters<P>;
    readonly query: TypeOf<Q>;
    readonly body: TypeOf<B>;
    readonly ctx: RouteContext;
    readonly use: Use<N>;
  }): Promise<unknown>;
}

/** A route with its types erased, as the kernel uses it. */
export interface Route
  extends Omit<RouteSpec<string, Schema, TObject, ServiceTokens>, 'services' | 'precheck' | 'handle'> {
  readonly kind: 'route';
  readonly services: ServiceTokens;
  precheck?(args: { readonly params: Erased; readonly ctx: RouteContext; readonly use: Erased }): Promise<void>;
  handle(args: {
    readonly params: Erased;
    readonly query: Erased;
    readonly body: Erased;
    readonly ctx: RouteContext;
    readonly use: Erased;
  }): Promise<unknown>;
}

/** Defines one REST method and path that is not an operation, view or GraphQL. The path types `params`. */
export function defineRoute<
  const P extends `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`,
  B extends TSchema = TSchema,
  Q extends TObject = TObject<Record<never, never>>,
  const N extends ServiceTokens = Record<never, never>,
>(spec: RouteSpec<P, B, Q, N>): Route {
  const erased: unknown = { kind: 'route', ...spec, services: spec.services ?? {} };
  return Object.freeze(erased as Route); // The types were checked together by the signature.
}

/** Returns the graph of a route with `{graph_id}` and a role; throws for any other route, which is a defect. */
export function graphOf(ctx: RouteContext): Graph {
  if (ctx.graph === undefined) throw new Error('This route has no graph: it declares no role on a graph of its path.');
  return ctx.graph;
}
