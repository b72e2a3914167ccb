import type { TSchema } from 'typebox';
import type { Contribution, Provider } from '../container/provider.ts';
import type { ServiceTokens, Token, Use } from '../container/token.ts';
import type { Schema, TypeOf } from '../schema/model.ts';
import type { AnalyticalNode, AnalyticalRelationship } from '../store/analytical.ts';
import type { TableDeclarations } from '../store/store.ts';
import type { Command } from './command.ts';
import type { BaseContext } from './context.ts';
import type { EventType } from './event.ts';
import type { Field } from './field.ts';
import type { Job } from './job.ts';
import type { Operation } from './operation.ts';
import type { Query } from './query.ts';
import type { Route } from './route.ts';
import type { Run } from './run.ts';
import type { Tool } from './tool.ts';
import type { View } from './view.ts';

/** The lists of parts of a plugin; the generated `all.gen.ts` satisfies it. */
export interface PluginParts {
  readonly operations?: readonly Operation[];
  readonly views?: readonly View[];
  readonly queries?: readonly Query[];
  readonly fields?: readonly Field[];
  readonly routes?: readonly Route[];
  readonly tools?: readonly Tool[];
  readonly jobs?: readonly Job[];
  readonly runs?: readonly Run[];
  readonly events?: readonly EventType[];
  readonly commands?: readonly Command[];
  readonly nodes?: readonly AnalyticalNode[];
  readonly relationships?: readonly AnalyticalRelationship[];
}

/** A plugin's configuration: its schema with defaults, and the token through which parts read it. */
export interface PluginConfig<T> {
  readonly schema: Schema;
  readonly token: Token<T>;
}

/** Declares configuration; the host sets it with `plugin.with({ … })`, defaults come from the schema. */
export function defineConfig<S extends TSchema>(token: Token<TypeOf<S>>, schema: S): PluginConfig<TypeOf<S>> {
  return Object.freeze({ schema, token });
}

export interface StartContext extends Pick<BaseContext, 'log' | 'signal' | 'now'> {}

export interface PluginSpec<T, N extends ServiceTokens> extends PluginParts, TableDeclarations {
  /** kebab-case, unique in a deployment. */
  readonly name: string;
  readonly title: string;
  readonly version: string;
  /** The range of kernel versions it was tested with. */
  readonly kernel: string;
  readonly dependsOn?: readonly string[];
  /** The path segment that the plugin owns: `/extensions/<domain>/{graph_id}/operations/…`. */
  readonly domain?: string;
  /**
   * The domains that a graph must have to get this one; by default those of the plugins in `dependsOn`. A plugin that
   * uses only services of another one, and no records that its domain creates, names none.
   */
  readonly requiredDomains?: readonly string[];
  readonly config?: PluginConfig<T>;
  readonly providers?: readonly Provider[];
  readonly contributions?: readonly Contribution[];
  readonly migrations?: URL;
  readonly services?: N;
  /** The only imperative hook, such as for seeding constants. Awaited in order; a failure aborts startup. */
  start?(args: { readonly use: Use<N>; readonly ctx: StartContext }): Promise<void>;
  stop?(args: { readonly use: Use<N> }): Promise<void>;
}

/** A plugin is plain data: all its contributions can be listed without a database. */
export interface Plugin extends Required<TableDeclarations> {
  readonly kind: 'plugin';
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly kernel: string;
  readonly dependsOn: readonly string[];
  readonly domain: string | undefined;
  readonly requiredDomains: readonly string[] | undefined;
  readonly config: (PluginConfig<unknown> & { readonly value: unknown }) | undefined;
  readonly providers: readonly Provider[];
  readonly contributions: readonly Contribution[];
  readonly migrations: URL | undefined;
  readonly services: ServiceTokens;
  readonly operations: readonly Operation[];
  readonly views: readonly View[];
  readonly queries: readonly Query[];
  readonly fields: readonly Field[];
  readonly routes: readonly Route[];
  readonly tools: readonly Tool[];
  readonly jobs: readonly Job[];
  readonly runs: readonly Run[];
  readonly events: readonly EventType[];
  readonly commands: readonly Command[];
  readonly nodes: readonly AnalyticalNode[];
  readonly relationships: readonly AnalyticalRelationship[];
  start?(args: { readonly use: Readonly<Record<string, unknown>>; readonly ctx: StartContext }): Promise<void>;
  stop?(args: { readonly use: Readonly<Record<string, unknown>> }): Promise<void>;
  /** Returns the same plugin with a host's configuration. */
  with(value: Readonly<Record<string, unknown>>): Plugin;
}

/** Defines a plugin from the contributions of one domain. Importing it has no side effects. */
export function definePlugin<T = undefined, const N extends ServiceTokens = Record<never, never>>(
  spec: PluginSpec<T, N>,
): Plugin {
  return withConfig(spec as unknown as PluginSpec<unknown, ServiceTokens>, {}); // The kernel uses the erased form.
}

function withConfig(spec: PluginSpec<unknown, ServiceTokens>, value: Readonly<Record<string, unknown>>): Plugin {
  const plugin = {
    kind: 'plugin' as const,
    name: spec.name,
    title: spec.title,
    version: spec.version,
    kernel: spec.kernel,
    dependsOn: spec.dependsOn ?? [],
    domain: spec.domain,
    requiredDomains: spec.requiredDomains,
    config: spec.config === undefined ? undefined : { ...spec.config, value },
    providers: spec.providers ?? [],
    contributions: spec.contributions ?? [],
    migrations: spec.migrations,
    tables: spec.tables ?? {},
    securityDefinerFunctions: spec.securityDefinerFunctions ?? [],
    kernelScopeFunctions: spec.kernelScopeFunctions ?? [],
    services: spec.services ?? {},
    operations: spec.operations ?? [],
    views: spec.views ?? [],
    queries: spec.queries ?? [],
    fields: spec.fields ?? [],
    routes: spec.routes ?? [],
    tools: spec.tools ?? [],
    jobs: spec.jobs ?? [],
    runs: spec.runs ?? [],
    events: spec.events ?? [],
    commands: spec.commands ?? [],
    nodes: spec.nodes ?? [],
    relationships: spec.relationships ?? [],
    ...(spec.start === undefined ? {} : { start: spec.start as Plugin['start'] }),
    ...(spec.stop === undefined ? {} : { stop: spec.stop as Plugin['stop'] }),
    with: (next: Readonly<Record<string, unknown>>) => {
      if (spec.config === undefined && Object.keys(next).length > 0)
        throw new Error(
          `The plugin ${spec.name} has no configuration, so ${Object.keys(next).join(', ')} cannot be set.`,
        );
      return withConfig(spec, { ...value, ...next });
    },
  };
  return Object.freeze(plugin as Plugin); // definePlugin checked start and stop with their services.
}
