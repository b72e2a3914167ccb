import type { Plugin } from '../define/plugin.ts';
import type { KernelSettings } from '../settings/kernel-settings.ts';
import { type Aliases, composeEndpoints, type Endpoint } from './endpoints.ts';
import { operationId, type Problem } from './problem.ts';

/** An endpoint with its place in the set and its name in messages. */
interface Claim {
  readonly endpoint: Endpoint;
  readonly segments: readonly string[];
  readonly order: number;
  readonly label: string;
  /** Unique unless two operations have one name. */
  readonly name: string;
}

/**
 * Finds endpoints that take requests from each other. A host looks for the path first and for the method then, so two
 * paths that match the same request are one path. Fixed segments precede parameters among routes, but a route must not
 * take any request of an operation, a view or GraphQL (platform X-5a).
 */
export function sharedPaths(
  plugins: readonly Plugin[],
  aliases: Aliases,
  settings: KernelSettings,
): readonly Problem[] {
  const claims = claimsOf(
    plugins,
    composeEndpoints(plugins, aliases, () => () => ({}), settings),
  );
  const problems: Problem[] = [];
  for (const [index, first] of claims.entries())
    for (const second of claims.slice(index + 1)) {
      // Two operations with one name are a problem of their names.
      const conflict = first.name === second.name ? undefined : conflictOf(first, second);
      if (conflict !== undefined) problems.push({ text: `${first.label} and ${second.label} ${conflict}` });
    }
  return problems;
}

/** Lists routes before all others, each in the order of the set. */
function claimsOf(plugins: readonly Plugin[], endpoints: readonly Endpoint[]): readonly Claim[] {
  const owners = new Map<object, { readonly plugin: Plugin; readonly order: number }>();
  for (const plugin of plugins)
    for (const part of [...plugin.routes, ...plugin.operations, ...plugin.views])
      owners.set(part, { plugin, order: owners.size });
  return endpoints
    .map((endpoint): Claim => {
      const part = partOf(endpoint);
      const owner = part === undefined ? undefined : owners.get(part);
      const where = `(${endpoint.method} ${endpoint.path})`;
      const domain = 'mounted' in endpoint && 'domain' in endpoint.mounted ? endpoint.mounted.domain : undefined;
      return {
        endpoint,
        segments: endpoint.path.split('/'),
        order: (endpoint.kind === 'route' ? 0 : owners.size) + (owner?.order ?? owners.size),
        label:
          part === undefined || owner === undefined
            ? `the GraphQL endpoint ${where}`
            : `${part.kind} "${part.name}" of ${owner.plugin.name} ${where}`,
        name:
          part === undefined || part.kind === 'route' ? `${endpoint.kind} ${where}` : operationId(domain, part.name),
      };
    })
    .sort((a, b) => a.order - b.order);
}

function partOf(endpoint: Endpoint): { readonly kind: string; readonly name: string } | undefined {
  switch (endpoint.kind) {
    case 'operation':
      return endpoint.mounted.operation;
    case 'view':
      return endpoint.mounted.view;
    case 'route':
      return endpoint.mounted.route;
    default:
      return undefined;
  }
}

function conflictOf(first: Claim, second: Claim): string | undefined {
  if (first.segments.length !== second.segments.length) return undefined;
  if (first.endpoint.path === second.endpoint.path)
    return first.endpoint.method === second.endpoint.method ? 'share a path' : undefined;
  const isParameter = (segment: string | undefined) => segment?.startsWith('{') === true;
  const isApart = (segment: string, index: number) => {
    const other = second.segments[index];
    return segment !== other && !isParameter(segment) && !isParameter(other);
  };
  if (first.segments.some(isApart)) return undefined;
  if (first.endpoint.kind !== 'route' || second.endpoint.kind !== 'route') return 'share a path';
  const isOneShape = first.segments.every(
    (segment, index) => isParameter(segment) === isParameter(second.segments[index]),
  );
  return isOneShape ? 'differ only in the names of parameters' : undefined;
}
