/**
 * The typed name of a service. A service is created once, on first use, and stopped once.
 * A token is equal only to itself, so that a service is reachable only for those who import its token (platform X-13).
 */
export interface Token<T> {
  /** `<plugin>.<noun>`; it names the service in messages. */
  readonly id: string;
  readonly key: symbol;
  /** Carries the type; it has no value. */
  readonly type?: T;
}

/** An entry of a collection has a key that is unique in a deployment. */
export interface CollectionEntry {
  readonly key: string;
}

/** A list that other plugins extend; the service behind it is the frozen list of all entries, in their order. */
export interface Collection<T extends CollectionEntry> extends Token<readonly T[]> {
  readonly collection: true;
}

/** Services that a definition uses, by local name. */
export type ServiceTokens = Readonly<Record<string, Token<unknown>>>;

/** The resolved services for a set of tokens. */
export type Use<N extends ServiceTokens> = { readonly [K in keyof N]: N[K] extends Token<infer T> ? T : never };

/** Creates the typed name of a service; `id` is `<plugin>.<noun>`. */
export function createToken<T>(id: string): Token<T> {
  return Object.freeze({ id, key: Symbol(id) });
}

/** Creates the name of a list that other plugins extend with `contribute`. */
export function createCollection<T extends CollectionEntry>(id: string): Collection<T> {
  return Object.freeze({ id, key: Symbol(id), collection: true });
}
