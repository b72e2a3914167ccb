import type { TObject, TSchema } from 'typebox';
import type { Schema, TypeOf } from '../schema/model.ts';
import type { ServiceTokens, Use } from '../services/token.ts';
import type { KernelSettings } from '../settings/kernel-settings.ts';
import type { BaseContext, Caller, DeclaredErrors, Graph } from './context.ts';
import type { Erased } from './erased.ts';
import type { Effect, RequiredRole, ValidationErrors } from './required-role.ts';

/** The ways to sign in that a route accepts; an empty list means that it is public. */
export type AuthKind = 'api-key' | 'bearer' | 'token-in-query';

export type PathParameters<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & PathParameters<Rest>
  : unknown;

/** What a route's handler gets. `graph` is there exactly when the path has `{graph_id}` and the route has a need. */
export interface RouteContext extends BaseContext {
  readonly graph: Graph | undefined;
  /** Undefined on a public route without a credential. */
  readonly principal: Caller | undefined;
  /** The bearer token as sent, for the routes that renew or end a session. */
  readonly bearerToken: string | undefined;
  readonly ip: string;
  readonly userAgent: string;
  /** The body as it was sent, on routes with `rawBody`; else empty. */
  readonly rawBody: string;
  header(name: string): string | undefined;
}

/** An answer with a status or headers of its own. A plain value means the route's first status. */
export interface Answer {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * A body that is pulled chunk by chunk, so that a slow reader slows the source.
 * The first chunk is awaited before the headers go out, so that an early failure is still a status.
 */
export interface StreamAnswer {
  readonly kind: 'stream';
  readonly status: number;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers go out at once, before the first chunk (event streams). */
  readonly eager?: boolean;
  readonly chunks: AsyncIterable<string | Uint8Array>;
}

/** Answers with a status or headers of its own. */
export function answer(status: number, body?: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return { kind: 'answer', status, body, headers };
}

export interface RouteSpec<P extends string, B extends TSchema, Q extends TObject, N extends ServiceTokens> {
  /** Also the file's name, kebab-case. */
  readonly name: string;
  /** Method and path as in the OpenAPI document. */
  readonly path: P;
  readonly summary: string;
  readonly openapi: { readonly id: string; readonly tag: string };
  /** The rate limit that calls count against (platform ); null without a `limit` is for what load balancers ask. */
  readonly category: string | null;
  /** A limit of its own instead of the category's number; it holds without a category as well (platform R-6). */
  readonly limit?: { readonly maxCalls: number; readonly seconds: number; readonly per: 'ip' | 'user' };
  readonly auth: readonly AuthKind[];
  /** Tries the credential but goes on without one. */
  readonly authOptional?: boolean;
  /** The role needed on the graph of the path. Without it the handler decides. */
  readonly role?: RequiredRole;
  readonly effect?: Effect;
  /** Also reachable with a key that is bound to one graph (platform K-3). Graph routes are so by themselves. */
  readonly scopedKeys?: boolean;
  readonly body?: B;
  /** A missing body is refused unless false; then an empty one counts as `{}`. */
  readonly bodyRequired?: boolean;
  /** The body is no JSON of ours: the handler reads `ctx.rawBody`, exactly as it was sent (signed messages, forms). */
  readonly rawBody?: boolean;
  /** Whole numbers of the body beyond ±(2^53−1) arrive as bigint instead of rounded. */
  readonly exactIntegers?: boolean;
  readonly query?: Q;
  /** Status to schema; null is a status without a body, `anything()` an untyped one. The first is the normal one. */
  readonly answers: Readonly<Record<number, Schema | null>>;
  /** Error statuses in the OpenAPI document. Those with a body have the standard one. */
  readonly fails: readonly number[];
  /** Error statuses that the contract lists without a body. */
  readonly failsPlain?: readonly number[];
  readonly validationErrors?: ValidationErrors;
  readonly services?: N;
  readonly errors?: DeclaredErrors;
  /** Parameters that stand in the document but are read elsewhere, such as headers. */
  readonly documentedHeaders?: readonly string[];
  /** Cookies that the document lists for older clients; no credential is ever read from a cookie (platform A-1). */
  readonly documentedCookies?: readonly string[];
  /** False leaves the route out of the deployment: it answers 404 and no document shows it. */
  readonly isOn?: (settings: KernelSettings) => boolean;
  /** Not in the OpenAPI document: pages, health checks. */
  readonly hidden?: boolean;
  /** Refuses what has nothing to do with the body, before that is looked at. */
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

/** What the kernel sees of a route. */
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

/** One REST method and path that is not an operation, view or GraphQL. `params` is typed by the path. */
export function defineRoute<
  const P extends `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`,
  B extends TSchema = TSchema,
  Q extends TObject = TObject<Record<never, never>>,
  const N extends ServiceTokens = Record<never, never>,
>(spec: RouteSpec<P, B, Q, N>): Route {
  const erased: unknown = { kind: 'route', ...spec, services: spec.services ?? {} };
  return Object.freeze(erased as Route); // The types were checked together by the signature.
}

/** The graph of a route whose path has `{graph_id}` and that declares a need; any other route is a mistake of ours. */
export function graphOf(ctx: RouteContext): Graph {
  if (ctx.graph === undefined) throw new Error('This route declares no need on a graph of its path, so it has none.');
  return ctx.graph;
}
