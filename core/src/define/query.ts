import type { TObject, TSchema } from 'typebox';
import type { ServiceTokens, Use } from '../container/token.ts';
import type { Schema, TypeOf } from '../schema/model.ts';
import type { QueryContext } from './context.ts';
import type { Erased } from './erased.ts';
import type { RequiredRole } from './required-role.ts';
import type { ToolOfQuery } from './tool.ts';

/** The cost of a read in points, against the limit of a request (platform E-24); a point is about a millisecond. */
export interface FieldCost {
  /** With an argument `limit`, per 50 rows. */
  readonly points: number;
  /** The default of `limit`; 50 by default. Must equal the number that `resolve` uses. */
  readonly defaultRows?: number;
  /** The maximum of `limit`, beyond which the read refuses or reduces it; 1000 by default. */
  readonly maxRows?: number;
}

/**
 * A result whose fields may be functions, which run only when the request selects the field. The query shares what
 * serves several objects, such as one statement for a page.
 */
export type Answer<T> = T extends readonly (infer Item)[]
  ? readonly Answer<Item>[]
  : T extends object
    ? { readonly [Field in keyof T]: Answer<T[Field]> | (() => Promise<Answer<T[Field]>>) }
    : T;

/** One field of the read-only GraphQL `Query` type. The file has the field's name. */
export interface QuerySpec<A extends TObject, R extends TSchema, N extends ServiceTokens> {
  /** The field's name on the wire, camelCase. */
  readonly name: string;
  readonly summary: string;
  readonly role?: RequiredRole;
  /** Arguments in snake_case; optional ones are nullable on the wire and arrive as undefined when null. */
  readonly args?: A;
  /** Non-null unless the schema is nullable. */
  readonly returns: R;
  readonly services?: N;
  /** Ten points by default. */
  readonly cost?: FieldCost;
  /** The result for a caller without a credential; absent, such a caller is refused. */
  readonly anonymousAnswer?: TypeOf<R>;
  /** The graph must have been created with this domain; the plugin's own domain unless given. */
  readonly domain?: string;
  /** Its tool for AI clients, which reads all fields; without it they read the query through GraphQL alone. */
  readonly mcp?: ToolOfQuery;
  /** Domains that serve instead: the graph needs any of them. */
  readonly alternativeDomains?: readonly string[];
  resolve(args: {
    readonly args: TypeOf<A>;
    readonly ctx: QueryContext;
    readonly use: Use<N>;
  }): Promise<Answer<TypeOf<R>>>;
}

/** A query with its types erased, as the kernel uses it. */
export interface Query
  extends Omit<QuerySpec<TObject, Schema, ServiceTokens>, 'services' | 'resolve' | 'role' | 'anonymousAnswer'> {
  readonly kind: 'query';
  readonly anonymousAnswer?: unknown;
  readonly role: RequiredRole;
  readonly services: ServiceTokens;
  resolve(args: { readonly args: Erased; readonly ctx: QueryContext; readonly use: Erased }): Promise<unknown>;
}

/** Defines a read of one graph as a GraphQL field; it runs in the read-only snapshot of its request. */
export function defineQuery<
  R extends TSchema,
  A extends TObject = TObject<Record<never, never>>,
  const N extends ServiceTokens = Record<never, never>,
>(spec: QuerySpec<A, R, N>): Query {
  const erased: unknown = { kind: 'query', ...spec, role: spec.role ?? 'viewer', services: spec.services ?? {} };
  return Object.freeze(erased as Query); // The types were checked together by the signature.
}
