import type { Identity } from '../auth/identity.ts';
import type { Provider } from '../container/provider.ts';
import type { Plugin } from '../define/plugin.ts';
import { operationOfRun } from '../define/run.ts';
import type { MountedOperation } from '../envelope/run-operation.ts';
import { composeGraphql, type GraphqlService, type MountedQuery } from '../graphql/compose.ts';
import { documentLimits } from '../graphql/limits.ts';
import { type GivenSettings, settingsOf } from '../settings/kernel-settings.ts';
import type { AnalyticalSchema } from '../store/analytical.ts';
import type { MountedTool } from '../tool-catalog/assembled-tools.ts';
import { composeOpenapi } from './document.ts';
import {
  type Aliases,
  composeEndpoints,
  composeGraphqlParts,
  type Endpoint,
  type ResolveServices,
} from './endpoints.ts';
import { kernelPlugin, kernelPluginWith, kernelVersion } from './kernel-plugin.ts';
import { setOptionProblems } from './option-problems.ts';
import { AssemblyError, findProblems } from './problems.ts';
import { sortPlugins } from './sort-plugins.ts';

/** The host's options for a set of plugins, without drivers. */
export interface SetOptions {
  readonly plugins: readonly Plugin[];
  readonly aliases?: Aliases;
  /** The identity that names callers: accounts of this deployment by default. `ownIdentity` takes the users of the host. */
  readonly identity?: Identity;
  /** The settings that differ from their defaults; some routes exist only while a setting is on. */
  readonly settings?: GivenSettings;
  /** Services of the host instead of those of a plugin; not instead of a part of another service. */
  readonly override?: readonly Provider[];
  /** The names of the host's own commands, which plugins cannot take. */
  readonly hostCommands?: readonly string[];
  /** Plugins that run although they were made for another kernel version. */
  readonly waiveKernelRange?: readonly string[];
}

/** A checked and ordered set with all its documents; nothing has been started. */
export interface Composition {
  readonly plugins: readonly Plugin[];
  readonly endpoints: readonly Endpoint[];
  /** The runs of the plugins, as the queue executes them. */
  readonly runs: readonly MountedOperation[];
  readonly tools: readonly MountedTool[];
  readonly queries: readonly MountedQuery[];
  readonly graphql: GraphqlService;
  /** Built on first use: few processes ever serve it. */
  readonly openapi: Readonly<Record<string, unknown>>;
  readonly analytical: AnalyticalSchema;
}

/** The plugins of a set with the kernel, not yet checked. */
export function pluginsOf({ plugins, identity }: SetOptions): readonly Plugin[] {
  return [identity === undefined ? kernelPlugin : kernelPluginWith(identity), ...plugins];
}

/** Throws all problems together, if there are any. */
export function requireNone(problems: readonly string[]): void {
  if (problems.length > 0) throw new AssemblyError(problems);
}

/** Checks and orders a set, and composes its endpoints and documents. Pure; reports all problems together. */
export function compose(options: SetOptions, given: readonly Provider[], resolve: ResolveServices): Composition {
  requireNone(setOptionProblems(options));
  const set = pluginsOf(options);
  const aliases = options.aliases ?? {};
  const settings = settingsOf(options.settings);
  const waived = new Set(options.waiveKernelRange ?? []);
  const hostCommands = new Set(options.hostCommands ?? []);
  const override = options.override ?? [];
  requireNone(findProblems(set, { kernelVersion, waived, given, override, aliases, hostCommands, settings }));
  const { ordered } = sortPlugins(set);
  const graphqlParts = composeGraphqlParts(ordered, resolve);
  const endpoints = composeEndpoints(ordered, aliases, resolve, settings);
  let openapi: Readonly<Record<string, unknown>> | undefined;
  return {
    plugins: ordered,
    endpoints,
    runs: ordered.flatMap((plugin) =>
      plugin.runs.map((run) => ({ operation: operationOfRun(run), domain: undefined, use: resolve(run.services) })),
    ),
    tools: ordered.flatMap((plugin) => plugin.tools.map((tool) => ({ tool, use: resolve(tool.services) }))),
    queries: graphqlParts.queries,
    graphql: composeGraphql(graphqlParts, documentLimits),
    get openapi() {
      openapi ??= composeOpenapi(endpoints, kernelVersion, settings.prefix);
      return openapi;
    },
    analytical: {
      nodes: ordered.flatMap((plugin) => plugin.nodes),
      relationships: ordered.flatMap((plugin) => plugin.relationships),
    },
  };
}
