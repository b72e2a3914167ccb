import type { Collection, CollectionEntry, ServiceTokens, Token, Use } from './token.ts';

/** The recipe of a service. What it needs is declared, so that assembly can check it before anything starts. */
export interface ProviderSpec<T, N extends ServiceTokens> {
  readonly services?: N;
  create(use: Use<N>): T;
  /** Called once when the app stops, in the reverse order of creation. */
  stop?(service: T): Promise<void>;
}

/** What the kernel sees of a provider: the types were checked together by the signature of `provide`. */
export interface Provider {
  readonly token: Token<unknown>;
  readonly services: ServiceTokens;
  create(use: Readonly<Record<string, unknown>>): unknown;
  stop?(service: unknown): Promise<void>;
}

/** An entry that a plugin adds to a collection. */
export interface Contribution {
  readonly collection: Collection<CollectionEntry>;
  readonly key: string;
  readonly services: ServiceTokens;
  create(use: Readonly<Record<string, unknown>>): CollectionEntry;
}

/** Says how a service is made. Two plugins may never provide the same token. */
export function provide<T, const N extends ServiceTokens = Record<never, never>>(
  token: Token<T>,
  spec: ProviderSpec<T, N>,
): Provider {
  const erased: unknown = { ...spec, token, services: spec.services ?? {} };
  return Object.freeze(erased as Provider); // The pair of needs and create was checked by the signature.
}

/** Adds one entry to a collection; its key is unique in a deployment. */
export function contribute<T extends CollectionEntry, const N extends ServiceTokens = Record<never, never>>(
  collection: Collection<T>,
  key: string,
  spec: { readonly services?: N; create(use: Use<N>): Omit<T, 'key'> },
): Contribution {
  const create = spec.create as (use: unknown) => Omit<T, 'key'>; // Checked by the signature, as above.
  const erased: unknown = {
    collection,
    key,
    services: spec.services ?? {},
    create: (use: unknown) => Object.freeze({ ...create(use), key }),
  };
  return Object.freeze(erased as Contribution);
}
