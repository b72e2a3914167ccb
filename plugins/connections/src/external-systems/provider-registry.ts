import { notFound, ServiceError } from '@pacioli/core';
import type { ConnectionProviderInfo } from '../models/ConnectionProviderInfo.ts';
import { type ProviderName, providerNames } from '../models/provider-names.ts';
import type { ConnectionProvider, ProviderAuthorization } from '../tokens.ts';

/** The providers of this deployment. */
export class ProviderRegistry {
  readonly #providers = new Map<ProviderName, ConnectionProvider>();

  /** Throws when a plugin contributes a provider that the API does not name. */
  constructor(providers: readonly ConnectionProvider[]) {
    for (const provider of providers) {
      const name = providerNames.find((each) => each === provider.key);
      if (name === undefined) {
        const known = providerNames.join(', ');
        throw new Error(`A plugin contributes the connection provider "${provider.key}"; the API knows ${known}.`);
      }
      this.#providers.set(name, provider);
    }
  }

  /** The available providers, by name. */
  infos(): readonly ConnectionProviderInfo[] {
    return [...this.#providers].map(([provider, { info }]) => ({ provider, ...info }));
  }

  /** True if the provider keeps whole books; false for one that is disabled. */
  keepsBooks(name: string): boolean {
    return this.find(name)?.keepsBooks === true;
  }

  /** True if any provider of the deployment keeps whole books. */
  get hasBooks(): boolean {
    return [...this.#providers.values()].some(({ keepsBooks }) => keepsBooks);
  }

  /**
   * Returns the provider; throws 403 if this deployment does not have it (ledger L-115), 404 if the API does not name
   * it.
   */
  require(name: string): ConnectionProvider {
    const provider = this.find(name);
    if (provider !== undefined) return provider;
    const enabled = [...this.#providers.keys()].join(', ');
    if (!providerNames.some((each) => each === name)) {
      throw notFound(`There is no provider '${name}'. Use one of: ${enabled}.`);
    }
    const message = `The provider '${name}' is not enabled in this deployment. Enabled: ${enabled}.`;
    throw new ServiceError('forbidden', 'PROVIDER_DISABLED', message);
  }

  /** Returns how to authorize the provider; throws 400 if it needs no authorization (ledger L-117). */
  requireAuthorization(name: string): ProviderAuthorization {
    const { authorization } = this.require(name);
    if (authorization !== undefined) return authorization;
    throw new ServiceError('refused', 'INVALID_INPUT', `OAuth not supported for provider: ${name}`);
  }

  find(name: string): ConnectionProvider | undefined {
    const known = providerNames.find((each) => each === name);
    return known === undefined ? undefined : this.#providers.get(known);
  }
}
