import type { Provider, Token } from '@pacioli/core';
import taxonomy, { type Library, library, statementStructures } from '@pacioli/taxonomy';

/** The shipped library, made from the plugin's own list of services: no database is needed for constants. */
export const shippedLibrary: Library = make(library);

/** The statements of the shipped styles. */
export const shippedStatements = make(statementStructures);

function make<T>(token: Token<T>): T {
  const provider = taxonomy.services.find((each: Provider) => each.token.key === token.key);
  if (provider === undefined) throw new Error(`The taxonomy plugin does not provide ${token.id}.`);
  const use = Object.fromEntries(Object.entries(provider.needs).map(([name, need]) => [name, make(need)]));
  return provider.create(use) as T; // A provider makes what its token names.
}
