import type { Plugin } from '../define/plugin.ts';
import { compose, type SetOptions } from './compose.ts';
import type { Endpoint } from './endpoints.ts';
import { hostTokens } from './host-services.ts';

/** The contributions of a set of plugins, for documents; built without a database. */
export interface Description {
  readonly openapi: Readonly<Record<string, unknown>>;
  readonly sdl: string;
  readonly endpoints: readonly { readonly method: string; readonly path: string; readonly name: string }[];
  readonly plugins: readonly Pick<Plugin, 'name' | 'title' | 'version' | 'dependsOn' | 'domain'>[];
}

/** Checks and composes a set without drivers. Throws AssemblyError with every problem. */
export function describe(options: SetOptions): Description {
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
