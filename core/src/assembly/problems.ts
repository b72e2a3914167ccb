import type { Contribution, Provider } from '../container/provider.ts';
import type { ServiceTokens } from '../container/token.ts';
import type { Plugin } from '../define/plugin.ts';
import { longestCost, pricedField } from '../graphql/cost.ts';
import { documentLimits } from '../graphql/limits.ts';
import { canonicalJson } from '../schema/canonical.ts';
import { isJsonSchema, objectTitle, propertiesOf, withoutNull } from '../schema/names.ts';
import { sortPlugins } from './sort-plugins.ts';

/** A set of plugins that cannot be assembled, with all reasons. */
export class AssemblyError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`This set of plugins cannot be assembled:\n${problems.map((problem) => `- ${problem}`).join('\n')}`);
    this.name = 'AssemblyError';
    this.problems = problems;
  }
}

export interface ProblemOptions {
  readonly kernelVersion: string;
  /** Names of plugins whose kernel range the host waives. */
  readonly waived: ReadonlySet<string>;
  /** Tokens that the host itself provides or overrides. */
  readonly given: readonly Provider[];
  readonly override: readonly Provider[];
}

/** Finds all problems of a set. Pure: starts nothing. */
export function findProblems(plugins: readonly Plugin[], options: ProblemOptions): readonly string[] {
  return [
    ...wrongNames(plugins),
    ...wrongTableNames(plugins),
    ...wrongKernel(plugins, options),
    ...wrongDependencies(plugins),
    ...duplicateNames(plugins),
    ...wrongServices(plugins, options.given),
    ...overriddenParts(plugins, options.override),
    ...conflictingModels(plugins),
    ...tooExpensiveQueries(plugins),
    ...wrongArguments(plugins),
  ];
}

/** Finds queries whose longest page alone exceeds the cost limit, so that no request could read it (platform E-24). */
function tooExpensiveQueries(plugins: readonly Plugin[]): readonly string[] {
  return plugins
    .flatMap((plugin) => plugin.queries)
    .map((query) => ({ name: query.name, points: longestCost(pricedField(query)) }))
    .filter(({ points }) => points > documentLimits.maxCost)
    .map(
      ({ name, points }) =>
        `the longest page of query "${name}" costs ${points} points, and a request may cost ${documentLimits.maxCost}`,
    );
}

/** Finds arguments that GraphQL cannot take as input, because the schema is built only with its first request. */
function wrongArguments(plugins: readonly Plugin[]): readonly string[] {
  return plugins
    .flatMap((plugin) => plugin.queries)
    .flatMap(({ name, args }) =>
      (args === undefined ? [] : propertiesOf(args))
        .filter(([, schema]) => isObjectInput(schema))
        .map(
          ([arg]) =>
            `the argument "${arg}" of query "${name}" is an object, which cannot be an input of GraphQL; use one ` +
            `argument for each field, or openObject()`,
        ),
    );
}

function isObjectInput(given: object): boolean {
  const { schema } = withoutNull(given);
  const { items } = schema;
  return schema['type'] === 'array' && isJsonSchema(items) ? isObjectInput(items) : objectTitle(schema) !== undefined;
}

function wrongNames(plugins: readonly Plugin[]): readonly string[] {
  return plugins
    .filter((plugin) => !/^[a-z][a-z0-9-]*$/.test(plugin.name))
    .map((plugin) => `the plugin name "${plugin.name}" is not kebab-case`);
}

/** Finds tables and SQL functions that lack the prefix of their plugin, whose data they would expose (platform X-5). */
function wrongTableNames(plugins: readonly Plugin[]): readonly string[] {
  return plugins.flatMap((plugin) => {
    const prefix = `${plugin.name.replaceAll('-', '_')}_`;
    return [...Object.keys(plugin.tables), ...plugin.securityDefinerFunctions, ...plugin.kernelScopeFunctions]
      .filter((name) => name !== '*' && !name.startsWith(prefix))
      .map((name) => `${plugin.name} declares "${name}", whose name does not begin with "${prefix}"`);
  });
}

function wrongKernel(plugins: readonly Plugin[], options: ProblemOptions): readonly string[] {
  return plugins
    .filter((plugin) => !options.waived.has(plugin.name) && !isInRange(options.kernelVersion, plugin.kernel))
    .map((plugin) => `${plugin.name} was made for kernel ${plugin.kernel}, this is ${options.kernelVersion}`);
}

/** Caret ranges as in npm: the leftmost nonzero number may not change. */
function isInRange(version: string, range: string): boolean {
  const wanted = /^\^(\d+)\.(\d+)\.(\d+)$/.exec(range)?.slice(1).map(Number);
  const have = version.split('.').map(Number);
  if (wanted === undefined) return false;
  const fixed = wanted.findIndex((number) => number !== 0);
  const isSame = wanted.slice(0, Math.max(0, fixed) + 1).every((number, index) => number === have[index]);
  return isSame && compare(have, wanted) >= 0;
}

function compare(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((number, at) => number !== b[at]);
  return index === -1 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}

function wrongDependencies(plugins: readonly Plugin[]): readonly string[] {
  const names = new Set(plugins.map((plugin) => plugin.name));
  const missing = plugins.flatMap((plugin) =>
    plugin.dependsOn
      .filter((name) => !names.has(name))
      .map((name) => `${plugin.name} needs the plugin "${name}", which is not enabled`),
  );
  const { unsorted } = missing.length > 0 ? { unsorted: [] } : sortPlugins(plugins);
  return unsorted.length === 0
    ? missing
    : [...missing, `these plugins depend on each other in a cycle: ${unsorted.join(', ')}`];
}

/** Finds wire names, tokens and keys that more than one plugin contributes, or one plugin twice. */
function duplicateNames(plugins: readonly Plugin[]): readonly string[] {
  const owners = new Map<string, string[]>();
  const claim = (what: string, plugin: Plugin): void => {
    owners.set(what, [...(owners.get(what) ?? []), plugin.name]);
  };
  for (const plugin of plugins) {
    claim(`plugin "${plugin.name}"`, plugin);
    if (plugin.domain !== undefined) claim(`domain "${plugin.domain}"`, plugin);
    for (const part of [...plugin.operations, ...plugin.views])
      claim(`operation "${part.domain ?? plugin.domain ?? 'graph'}/${part.name}"`, plugin);
    for (const query of plugin.queries) claim(`query "${query.name}"`, plugin);
    for (const route of plugin.routes) claim(`path "${route.path.replaceAll(/\{[^}]+\}/g, '{}')}"`, plugin);
    for (const event of plugin.events) claim(`event "${event.name}"`, plugin);
    for (const job of plugin.jobs) claim(`job "${job.name}"`, plugin);
    for (const provider of plugin.providers) claim(`service "${provider.token.id}"`, plugin);
    for (const entry of plugin.contributions) claim(`entry "${entry.key}" of ${entry.collection.id}`, plugin);
    for (const type of [...plugin.nodes, ...plugin.relationships]) claim(`analytical type "${type.name}"`, plugin);
  }
  return [...owners]
    .filter(([, names]) => names.length > 1)
    .map(
      ([what, names]) =>
        `${what} is contributed by ${[...new Set(names)].join(' and ')}${new Set(names).size === 1 ? ' twice' : ''}`,
    );
}

function wrongServices(plugins: readonly Plugin[], given: readonly Provider[]): readonly string[] {
  const provided = new Set(
    [...given, ...plugins.flatMap((plugin) => plugin.providers)].map((provider) => provider.token.id),
  );
  for (const plugin of plugins) if (plugin.config !== undefined) provided.add(plugin.config.token.id);
  const problems: string[] = [];
  for (const plugin of plugins) {
    const allowed = new Set(['kernel', plugin.name, ...plugin.dependsOn]);
    for (const [part, services] of servicesOf(plugin)) {
      for (const token of Object.values(services)) {
        const owner = token.id.split('.')[0] ?? '';
        if (!('collection' in token) && !provided.has(token.id))
          problems.push(`${part} of ${plugin.name} needs the service "${token.id}", which no plugin provides`);
        else if (!allowed.has(owner))
          problems.push(`${part} of ${plugin.name} uses "${token.id}" without dependsOn: ['${owner}']`);
      }
    }
  }
  const givenIds = new Set(given.map(({ token }) => token.id));
  const services = plugins.flatMap((plugin) => plugin.providers).filter(({ token }) => !givenIds.has(token.id));
  const entries = plugins.flatMap((plugin) => plugin.contributions);
  return [...problems, ...circularServices([...given, ...services], entries)];
}

/** Finds overrides that would reach only some users of a service, because the whole uses its part without the token. */
function overriddenParts(plugins: readonly Plugin[], override: readonly Provider[]): readonly string[] {
  const overridden = new Set(override.map(({ token }) => token.id));
  return plugins
    .flatMap((plugin) => plugin.providers)
    .flatMap(({ token, partOf }) =>
      partOf === undefined || !overridden.has(token.id)
        ? []
        : [
            `the host overrides "${token.id}", but it is a part of "${partOf.id}", which would continue to use its own; ` +
              `remove the override`,
          ],
    );
}

function servicesOf(plugin: Plugin): readonly (readonly [string, ServiceTokens])[] {
  return [
    ['start', plugin.services],
    ...[...plugin.operations, ...plugin.views, ...plugin.queries, ...plugin.routes, ...plugin.jobs].map(
      (part) => [`${part.kind} "${part.name}"`, part.services] as const,
    ),
    ...plugin.providers.map((provider) => [`service "${provider.token.id}"`, provider.services] as const),
    ...plugin.contributions.map((entry) => [`entry "${entry.key}"`, entry.services] as const),
  ];
}

/** Finds circular services, including through entries of collections; each message names the whole circle. */
function circularServices(providers: readonly Provider[], entries: readonly Contribution[]): readonly string[] {
  const edges = new Map<string, string[]>();
  const add = (from: string, to: readonly string[]) => edges.set(from, [...(edges.get(from) ?? []), ...to]);
  const idsOf = (part: { readonly services: ServiceTokens }) => Object.values(part.services).map(({ id }) => id);
  for (const provider of providers) add(provider.token.id, idsOf(provider));
  for (const entry of entries) {
    const name = `entry "${entry.key}" of ${entry.collection.id}`;
    add(entry.collection.id, [name]);
    add(name, idsOf(entry));
  }
  const done = new Set<string>();
  const problems: string[] = [];
  const visit = (id: string, path: readonly string[]): void => {
    if (path.includes(id)) {
      problems.push(
        `these services depend on each other in a cycle: ${[...path.slice(path.indexOf(id)), id].join(' → ')}`,
      );
      return;
    }
    if (done.has(id)) return;
    for (const next of edges.get(id) ?? []) visit(next, [...path, id]);
    done.add(id);
  };
  for (const id of edges.keys()) visit(id, []);
  return problems;
}

/** Two different models with one title would become one component of the document. */
function conflictingModels(plugins: readonly Plugin[]): readonly string[] {
  const rest = new Models('model');
  const graph = new Models('GraphQL type');
  for (const plugin of plugins) {
    for (const part of [...plugin.operations, ...plugin.views]) {
      rest.add(part.input, plugin.name);
      rest.add(part.output, plugin.name);
    }
    for (const route of plugin.routes)
      for (const schema of [route.body, ...Object.values(route.answers)]) rest.add(schema, plugin.name);
    for (const query of plugin.queries) graph.add(query.returns, plugin.name);
  }
  return [...rest.problems, ...graph.problems];
}

class Models {
  readonly #kind: string;
  readonly #known = new Map<string, { readonly schema: object; readonly owner: string }>();
  readonly #seen = new WeakSet<object>();
  readonly problems: string[] = [];

  constructor(kind: string) {
    this.#kind = kind;
  }

  add(schema: unknown, owner: string): void {
    if (Array.isArray(schema)) for (const item of schema) this.add(item, owner);
    if (!isJsonSchema(schema) || this.#seen.has(schema)) return;
    this.#seen.add(schema);
    const title = schema['title'];
    if (schema['type'] === 'object' && typeof title === 'string') {
      const known = this.#known.get(title);
      // Most titles have one schema, so the comparison is rare.
      if (known !== undefined && canonicalJson(known.schema) !== canonicalJson(schema))
        this.problems.push(`the ${this.#kind} "${title}" of ${owner} differs from the one of ${known.owner}`);
      this.#known.set(title, known ?? { schema, owner });
    }
    for (const [keyword, value] of Object.entries(schema)) {
      // A field may have the name of a keyword.
      if (keyword === 'properties' && isJsonSchema(value))
        for (const field of Object.values(value)) this.add(field, owner);
      else if (keyword !== 'enum' && keyword !== 'default') this.add(value, owner);
    }
  }
}
