import type { Plugin } from '../define/plugin.ts';
import type { UseParts } from '../envelope/kernel.ts';
import type { MountedOperation } from '../envelope/run-operation.ts';
import type { MountedRoute } from '../envelope/run-route.ts';
import type { MountedView } from '../envelope/run-view.ts';
import type { MountedQuery } from '../schema/graphql.ts';
import type { ServiceTokens } from '../services/token.ts';
import type { KernelSettings } from '../settings/kernel-settings.ts';

/** Additional names that a host gives to domains: `{ ledger: ['roboledger'] }`. */
export type Aliases = Readonly<Record<string, readonly string[]>>;

/** A method and path with its handler; `documented` marks the path shown in the documents. */
export type Endpoint = { readonly method: string; readonly path: string; readonly documented: boolean } & (
  | { readonly kind: 'operation'; readonly mounted: MountedOperation }
  | { readonly kind: 'view'; readonly mounted: MountedView }
  | { readonly kind: 'route'; readonly mounted: MountedRoute }
  | { readonly kind: 'graphql' }
  | { readonly kind: 'explorer' }
);

export type ResolveUse = (services: ServiceTokens) => UseParts;

/** Maps the domains of a set to their owning plugins. */
export function ownedDomains(plugins: readonly Plugin[]): ReadonlyMap<string, Plugin> {
  return new Map(plugins.flatMap((plugin) => (plugin.domain === undefined ? [] : [[plugin.domain, plugin] as const])));
}

/** Lists every endpoint of a deployment. A contribution to a domain is mounted only if the domain has an owner. */
export function composeEndpoints(
  plugins: readonly Plugin[],
  aliases: Aliases,
  resolve: ResolveUse,
  settings: KernelSettings,
): readonly Endpoint[] {
  const owners = ownedDomains(plugins);
  const endpoints: Endpoint[] = [
    { method: 'POST', path: '/extensions/{graph_id}/graphql', documented: true, kind: 'graphql' },
    { method: 'GET', path: '/extensions/{graph_id}/graphql', documented: true, kind: 'explorer' },
  ];
  for (const plugin of plugins) {
    for (const route of plugin.routes) {
      if (route.isOn?.(settings) === false) continue;
      const [method = 'GET', path = '/'] = route.path.split(' ');
      endpoints.push({
        method,
        path,
        documented: route.hidden !== true,
        kind: 'route',
        mounted: { route, use: resolve(route.services) },
      });
    }
    for (const operation of plugin.operations) {
      const domain = operation.domain ?? plugin.domain;
      const mounted: MountedOperation = { operation, domain, use: resolve(operation.services) };
      const paths =
        operation.path === undefined
          ? operationPaths(operation.name, domain, owners, aliases)
          : [operation.path.slice('POST '.length)];
      for (const [index, path] of paths.entries())
        endpoints.push({ method: 'POST', path, documented: index === 0, kind: 'operation', mounted });
    }
    for (const view of plugin.views) {
      const domain = view.domain ?? plugin.domain;
      const mounted: MountedView = { view, domain, use: resolve(view.services) };
      for (const [index, path] of operationPaths(view.name, domain, owners, aliases).entries()) {
        endpoints.push({ method: 'POST', path, documented: index === 0, kind: 'view', mounted });
      }
    }
  }
  return endpoints
    .map((endpoint) => ({ endpoint, rank: specificity(endpoint.path) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ endpoint }) => endpoint);
}

/** Lists the paths of an operation; the documents show the first one. */
function operationPaths(
  name: string,
  domain: string | undefined,
  owners: ReadonlyMap<string, Plugin>,
  aliases: Aliases,
): readonly string[] {
  if (domain === undefined) return [`/v1/graphs/{graph_id}/operations/${name}`];
  if (!owners.has(domain)) return [];
  return [...(aliases[domain] ?? []), domain].map((segment) => `/extensions/${segment}/{graph_id}/operations/${name}`);
}

/** Sorts fixed segments before parameters, so that `/v1/graphs/tiers` is never read as a graph. */
function specificity(path: string): string {
  return path.replaceAll(/\{[^}]+\}/g, '~');
}

/** Lists the queries of a set, each with the domain that a graph must have for it. */
export function composeQueries(plugins: readonly Plugin[], resolve: ResolveUse): readonly MountedQuery[] {
  const owners = ownedDomains(plugins);
  return plugins.flatMap((plugin) =>
    plugin.queries
      .map((query) => ({ query, domain: query.domain ?? plugin.domain, use: resolve(query.services) }))
      .filter((mounted) => mounted.domain === undefined || owners.has(mounted.domain)),
  );
}
