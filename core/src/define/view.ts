import type { TSchema } from 'typebox';
import type { ServiceTokens, Use } from '../container/token.ts';
import type { Schema, TypeOf } from '../schema/model.ts';
import type { DeclaredErrors, ReadContext } from './context.ts';
import type { Erased } from './erased.ts';
import type { Example } from './example.ts';
import type { RequiredRole } from './required-role.ts';
import type { ToolOfPart } from './tool.ts';

/** A named read of analytics at the same kind of path as an operation; it never writes. */
export interface ViewSpec<I extends TSchema, O extends TSchema, N extends ServiceTokens> {
  readonly name: string;
  readonly summary: string;
  readonly role: RequiredRole;
  readonly input: I;
  readonly output: O;
  readonly services?: N;
  readonly domain?: string;
  readonly openapi: { readonly id: string; readonly tag: string };
  readonly untypedResult?: boolean;
  /** The rate limit that calls count against (platform R-5): `extensions_write` in a domain, else `graph_write`. */
  readonly category?: string;
  /** Its tool for AI clients, or the reason why it has none; every part of a graph states one (ai-surface M-50). */
  readonly mcp?: ToolOfPart;
  readonly errors?: DeclaredErrors;
  readonly examples?: readonly Example<TypeOf<I>>[];
  handle(args: { readonly input: TypeOf<I>; readonly ctx: ReadContext; readonly use: Use<N> }): Promise<TypeOf<O>>;
}

/** A view with its types erased, as the kernel uses it. */
export interface View extends Omit<ViewSpec<Schema, Schema, ServiceTokens>, 'services' | 'handle' | 'examples'> {
  readonly kind: 'view';
  readonly services: ServiceTokens;
  readonly examples?: readonly Example<unknown>[];
  handle(args: { readonly input: Erased; readonly ctx: ReadContext; readonly use: Erased }): Promise<unknown>;
}

/** Defines a named read of analytics: `POST …/operations/{name}` in a read-only snapshot. */
export function defineView<I extends TSchema, O extends TSchema, const N extends ServiceTokens = Record<never, never>>(
  spec: ViewSpec<I, O, N>,
): View {
  const erased: unknown = { kind: 'view', ...spec, services: spec.services ?? {} };
  return Object.freeze(erased as View); // The types were checked together by the signature.
}
