import type { ServiceTokens } from '../container/token.ts';
import type { Field } from '../define/field.ts';
import type { Plugin } from '../define/plugin.ts';
import type { Query } from '../define/query.ts';
import type { LazyServices } from '../envelope/kernel.ts';
import type { MountedOperation } from '../envelope/run-operation.ts';
import type { MountedRoute } from '../envelope/run-route.ts';
import type { MountedView } from '../envelope/run-view.ts';
import type { GraphqlParts } from '../graphql/compose.ts';
import type { Domains } from '../services/kernel-tokens.ts';
import type { KernelSettings } from '../settings/kernel-settings.ts';

/** Names of domains in published paths: `{ ledger: ['roboledger'] }`. The first is documented, the others still work. */
export type Aliases = Readonly<Record<string, readonly string[]>>;

/**
 * A method and path with its handler. An operation of a domain with aliases has one endpoint per name, and only the one
 * that is `documented` appears in the OpenAPI document. Hidden routes are not documented.
 */
export type Endpoint = { readonly method: string; readonly path: string; readonly documented: boolean } & (
  | { readonly kind: 'operation'; readonly mounted: MountedOperation }
  | { readonly kind: 'view'; readonly mounted: MountedView }
  | { readonly kind: 'route'; readonly mounted: MountedRoute }
  | { readonly kind: 'graphql' }
  | { readonly kind: 'explorer' }
);

/** Resolves the services that a part declares, once the part runs for the first time. */
export type ResolveServices = (services: ServiceTokens) => LazyServices;

/** Maps the domains of a set to their owning plugins. */
export function domainOwners(plugins: readonly Plugin[]): ReadonlyMap<string, Plugin> {
  return new Map(plugins.flatMap((plugin) => (plugin.domain === undefined ? [] : [[plugin.domain, plugin] as const])));
}

/**
 * Lists every endpoint of a deployment in the order of matching. An operation or view in the domain of another plugin is
 * omitted if no plugin of the set owns that domain.
 */
export function composeEndpoints(
  plugins: readonly Plugin[],
  aliases: Aliases,
  resolveServices: ResolveServices,
  settings: KernelSettings,
): readonly Endpoint[] {
  const owners = domainOwners(plugins);
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
        mounted: { route, use: resolveServices(route.services) },
      });
    }
    for (const operation of plugin.operations) {
      const domain = operation.domain ?? plugin.domain;
      const mounted: MountedOperation = { operation, domain, use: resolveServices(operation.services) };
      const paths =
        operation.path === undefined
          ? operationPaths(operation.name, domain, owners, aliases)
          : [operation.path.slice('POST '.length)];
      for (const [index, path] of paths.entries())
        endpoints.push({ method: 'POST', path, documented: index === 0, kind: 'operation', mounted });
    }
    for (const view of plugin.views) {
      const domain = view.domain ?? plugin.domain;
      const mounted: MountedView = { view, domain, use: resolveServices(view.services) };
      for (const [index, path] of operationPaths(view.name, domain, owners, aliases).entries()) {
        endpoints.push({ method: 'POST', path, documented: index === 0, kind: 'view', mounted });
      }
    }
  }
  return endpoints
    .map((endpoint) => ({ endpoint, key: matchingKey(endpoint.path) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ endpoint }) => endpoint);
}

/** Lists the paths of an operation or view, aliases first: the first path is the documented one. */
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

/**
 * Returns a sort key that puts fixed segments before parameters, so that `/v1/graphs/tiers` is matched before
 * `/v1/graphs/{graph_id}`: `~` follows every other character of a path.
 */
function matchingKey(path: string): string {
  return path.replaceAll(/\{[^}]+\}/g, '~');
}

/** Lists the queries and fields of a set, each with the domain with which the graph must have been created. */
export function composeGraphqlParts(plugins: readonly Plugin[], resolveServices: ResolveServices): GraphqlParts {
  const owners = domainOwners(plugins);
  const isServed = ({ domain }: { readonly domain: string | undefined }) => domain === undefined || owners.has(domain);
  const mount = (plugin: Plugin, part: Query | Field) => ({
    domain: part.domain ?? plugin.domain,
    use: resolveServices(part.services),
  });
  return {
    queries: plugins
      .flatMap((plugin) => plugin.queries.map((query) => ({ query, ...mount(plugin, query) })))
      .filter(isServed),
    fields: plugins
      .flatMap((plugin) => plugin.fields.map((field) => ({ field, ...mount(plugin, field) })))
      .filter(isServed),
  };
}

/** Maps the domains of a set to the names that this host gives them. */
export function domainNames(plugins: readonly Plugin[], aliases: Aliases): Domains {
  const owners = domainOwners(plugins);
  const byWireName = new Map<string, string>();
  for (const domain of owners.keys())
    for (const name of [domain, ...(aliases[domain] ?? [])]) byWireName.set(name, domain);
  return {
    resolve: (wireName) => byWireName.get(wireName),
    wireName: (domain) => aliases[domain]?.[0] ?? domain,
    all: () => [...owners].map(([domain, plugin]) => ({ domain, title: plugin.title, plugin: plugin.name })),
    requiredBy: (domain) => {
      const { requiredDomains, dependsOn = [] } = owners.get(domain) ?? {};
      return requiredDomains ?? [...owners].filter(([, { name }]) => dependsOn.includes(name)).map(([each]) => each);
    },
  };
}
