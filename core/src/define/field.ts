import { type TObject, type TSchema, type TString, Type } from 'typebox';
import type { ServiceTokens, Use } from '../container/token.ts';
import type { Schema, TypeOf } from '../schema/model.ts';
import type { ReadContext } from './context.ts';
import type { Erased } from './erased.ts';
import type { Answer, FieldCost } from './query.ts';
import type { RequiredRole } from './required-role.ts';

type WithId = TObject<{ id: TString }>;

/**
 * A field that a plugin adds to a GraphQL type, usually one of another plugin (platform X-3a). The file has the names of
 * the type and the field, such as `Account.claimedAmount.ts`.
 */
export interface FieldSpec<P extends TObject, A extends TObject, R extends TSchema, N extends ServiceTokens> {
  /** The name of the type; the plugin that owns it must be in `dependsOn`. */
  readonly on: string;
  /** The field's name on the wire, camelCase. */
  readonly name: string;
  readonly summary: string;
  readonly role?: RequiredRole;
  /** The fields of the parent that `resolve` reads, as its type has them; `id` by default. */
  readonly parent?: P;
  /** Arguments in snake_case; optional ones are nullable on the wire and arrive as undefined when null. */
  readonly args?: A;
  /** Always nullable on the wire, so that a failure leaves the rest of the parent intact. */
  readonly returns: R;
  readonly services?: N;
  /** For each 50 rows of the query; ten points by default. */
  readonly cost?: Pick<FieldCost, 'points'>;
  /** On a graph without this domain the field is null; the plugin's own domain unless given. */
  readonly domain?: string;
  /**
   * Returns one value for each parent, in the order of the parents. Runs once for all parents of a response (at most
   * 1,000 at a time), so it needs one statement instead of one for each parent.
   */
  resolve(args: {
    readonly parents: readonly TypeOf<P>[];
    readonly args: TypeOf<A>;
    readonly ctx: ReadContext;
    readonly use: Use<N>;
  }): Promise<readonly (Answer<TypeOf<R>> | null | undefined)[]>;
}

/** A field with its types erased, as the kernel uses it. */
export interface Field
  extends Omit<FieldSpec<TObject, TObject, Schema, ServiceTokens>, 'services' | 'resolve' | 'role' | 'parent'> {
  readonly kind: 'field';
  readonly role: RequiredRole;
  readonly parent: TObject;
  readonly services: ServiceTokens;
  resolve(args: {
    readonly parents: Erased;
    readonly args: Erased;
    readonly ctx: ReadContext;
    readonly use: Erased;
  }): Promise<readonly unknown[]>;
}

/** Defines a field of a GraphQL type; it runs in the read-only snapshot of its request. */
export function defineField<
  R extends TSchema,
  P extends TObject = WithId,
  A extends TObject = TObject<Record<never, never>>,
  const N extends ServiceTokens = Record<never, never>,
>(spec: FieldSpec<P, A, R, N>): Field {
  const parent = spec.parent ?? Type.Object({ id: Type.String() });
  const erased: unknown = {
    kind: 'field',
    ...spec,
    parent,
    role: spec.role ?? 'viewer',
    services: spec.services ?? {},
  };
  return Object.freeze(erased as Field); // The types were checked together by the signature.
}
