import type { Collection, CollectionEntry, ServiceTokens, Token, Use } from './token.ts';

/** Defines how a service is created. Its dependencies are declared, so that assembly can check them before startup. */
export interface ProviderSpec<T, N extends ServiceTokens> {
  readonly services?: N;
  create(use: Use<N>): T;
  /** Called once when the app stops, in the reverse order of creation. */
  stop?(service: T): Promise<void>;
}

/** A provider with its types erased, as the kernel uses it; the signature of `provide` checked them. */
export interface Provider {
  readonly token: Token<unknown>;
  readonly services: ServiceTokens;
  /** The service that it is a part of, and that uses it without its token. */
  readonly partOf?: Token<unknown>;
  create(use: Readonly<Record<string, unknown>>): unknown;
  stop?(service: unknown): Promise<void>;
}

/** An entry that a plugin adds to a collection. */
export interface Contribution {
  readonly collection: Collection<CollectionEntry>;
  readonly key: string;
  readonly services: ServiceTokens;
  /** Keys of entries that this one precedes. */
  readonly before?: readonly string[];
  /** Keys of entries that this one follows. */
  readonly after?: readonly string[];
  create(use: Readonly<Record<string, unknown>>): CollectionEntry;
}

/** Declares a service. Two plugins may never provide the same token. */
export function provide<T, const N extends ServiceTokens = Record<never, never>>(
  token: Token<T>,
  spec: ProviderSpec<T, N>,
): Provider {
  const erased: unknown = { ...spec, token, services: spec.services ?? {} };
  return Object.freeze(erased as Provider); // The signature checked services and create together.
}

/**
 * Declares a service that is a part of another one. The host cannot override it, because the whole would continue to use
 * its own part.
 */
export function providePart<W, T>(token: Token<T>, whole: Token<W>, part: (whole: W) => T): Provider {
  return Object.freeze({
    token,
    services: { whole },
    partOf: whole,
    create: (use: Readonly<Record<string, unknown>>) => part(use['whole'] as W), // The token carries the type.
  });
}

/** Defines an entry of a collection. Its place is before and after the entries with these keys, else by its key. */
export interface ContributionSpec<T extends CollectionEntry, N extends ServiceTokens> {
  readonly services?: N;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  create(use: Use<N>): Omit<T, 'key'>;
}

/** Adds one entry to a collection; its key is unique in a deployment. */
export function contribute<T extends CollectionEntry, const N extends ServiceTokens = Record<never, never>>(
  collection: Collection<T>,
  key: string,
  spec: ContributionSpec<T, N>,
): Contribution {
  const create = spec.create as (use: unknown) => Omit<T, 'key'>; // Checked by the signature, as above.
  const erased: unknown = {
    collection,
    key,
    services: spec.services ?? {},
    before: spec.before ?? [],
    after: spec.after ?? [],
    create: (use: unknown) => withKey(create(use), key),
  };
  return Object.freeze(erased as Contribution);
}

/** An object of a class gets the key itself, because a copy would lack its methods; other objects are copied. */
function withKey(entry: object, key: string): CollectionEntry {
  const isPlain = Object.getPrototypeOf(entry) === Object.prototype;
  return Object.freeze(isPlain ? { ...entry, key } : Object.assign(entry, { key }));
}
