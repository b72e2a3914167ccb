import 'reflect-metadata';
import { type DependencyContainer, container as emptyRoot, instanceCachingFactory } from 'tsyringe';
import { orderEntries } from './entry-order.ts';
import type { Contribution, Provider } from './provider.ts';
import type { ServiceTokens, Token } from './token.ts';

/** The services of one deployment. */
export interface Services {
  resolve<T>(token: Token<T>): T;
  /** Resolves a set of tokens; called for each definition when the deployment starts. */
  useFor(services: ServiceTokens): Readonly<Record<string, unknown>>;
  /** Stops all created services, last created first. Continues if one fails and then throws the failures. */
  stop(): Promise<void>;
}

/** Creates a separate container, never tsyringe's global one, which an embedding app may use. */
export function createServices(providers: readonly Provider[], contributions: readonly Contribution[]): Services {
  const app = emptyRoot.createChildContainer();
  const made: { readonly provider: Provider; readonly service: unknown }[] = [];
  for (const provider of providers) {
    app.register(provider.token.key, {
      useFactory: instanceCachingFactory(() => {
        const service = provider.create(useFrom(app, provider.services));
        made.push({ provider, service });
        return service;
      }),
    });
  }
  for (const [key, entries] of byCollection(contributions)) {
    app.register(key, {
      useFactory: instanceCachingFactory(() =>
        Object.freeze(orderEntries(entries).ordered.map((entry) => entry.create(useFrom(app, entry.services)))),
      ),
    });
  }
  return {
    resolve: (token) => resolveOrEmpty(app, token) as never, // The token carries the type.
    useFor: (services) => useFrom(app, services),
    stop: () => stopAll(made),
  };
}

function useFrom(app: DependencyContainer, services: ServiceTokens): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(services).map(([name, token]) => [name, resolveOrEmpty(app, token)]));
}

/** Resolves a token; a collection without entries is an empty list. */
function resolveOrEmpty(app: DependencyContainer, token: Token<unknown>): unknown {
  if ('collection' in token && !app.isRegistered(token.key)) return Object.freeze([]);
  return app.resolve(token.key);
}

function byCollection(contributions: readonly Contribution[]): Map<symbol, Contribution[]> {
  const groups = new Map<symbol, Contribution[]>();
  for (const entry of contributions) {
    const group = groups.get(entry.collection.key) ?? [];
    group.push(entry);
    groups.set(entry.collection.key, group);
  }
  return groups;
}

async function stopAll(made: readonly { readonly provider: Provider; readonly service: unknown }[]): Promise<void> {
  const failures: unknown[] = [];
  for (const { provider, service } of [...made].reverse()) {
    try {
      await provider.stop?.(service);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some services could not be stopped.');
}
