import type { Plugin } from '../define/plugin.ts';
import { compose, type SetOptions } from './compose.ts';
import type { Endpoint } from './endpoints.ts';
import { hostTokens } from './host-services.ts';

/** The published documents, endpoints and plugins of a set. */
export interface SetDescription {
  readonly openapi: Readonly<Record<string, unknown>>;
  readonly sdl: string;
  readonly endpoints: readonly { readonly method: string; readonly path: string; readonly name: string }[];
  readonly plugins: readonly Pick<Plugin, 'name' | 'title' | 'version' | 'dependsOn' | 'domain'>[];
}

/** Checks a set of plugins and composes its documents without opening drivers. Throws AssemblyError with all problems. */
export function describeSet(options: SetOptions): SetDescription {
  const composition = compose(options, hostTokens(), () => () => ({}));
  return {
    openapi: composition.openapi,
    sdl: composition.graphql.sdl,
    endpoints: composition.endpoints.map((endpoint) => ({
      method: endpoint.method,
      path: endpoint.path,
      name: nameOf(endpoint),
    })),
    plugins: composition.plugins.map(({ name, title, version, dependsOn, domain }) => ({
      name,
      title,
      version,
      dependsOn,
      domain,
    })),
  };
}

function nameOf(endpoint: Endpoint): string {
  switch (endpoint.kind) {
    case 'operation':
      return endpoint.mounted.operation.name;
    case 'view':
      return endpoint.mounted.view.name;
    case 'route':
      return endpoint.mounted.route.name;
    default:
      return endpoint.kind;
  }
}
