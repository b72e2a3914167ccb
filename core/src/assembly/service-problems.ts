import { orderEntries } from '../container/entry-order.ts';
import type { Contribution, Provider } from '../container/provider.ts';
import type { ServiceTokens, Token } from '../container/token.ts';
import type { Plugin } from '../define/plugin.ts';
import { circularImport, missingDependency, type Problem, wrongKernelOf } from './problem.ts';

/** Finds services without a provider, of plugins that are not declared in `dependsOn`, and in cycles. */
export function wrongServices(plugins: readonly Plugin[], given: readonly Provider[]): readonly Problem[] {
  const provided = new Set(
    [...given, ...plugins.flatMap((plugin) => plugin.providers)].map((provider) => provider.token.id),
  );
  for (const plugin of plugins) if (plugin.config !== undefined) provided.add(plugin.config.token.id);
  const problems: Problem[] = [...doubledTokens(plugins, given)];
  for (const plugin of plugins) {
    const allowed = new Set(['kernel', plugin.name, ...plugin.dependsOn]);
    for (const [part, services] of servicesOf(plugin)) {
      for (const [name, token] of Object.entries<Token<unknown> | undefined>(services)) {
        if (token === undefined) {
          problems.push({ text: `the service "${name}" of ${part} of ${plugin.name} is undefined: ${circularImport}` });
          continue;
        }
        const owner = token.id.split('.')[0] ?? '';
        if (!('collection' in token) && !provided.has(token.id))
          problems.push({
            text: `${part} of ${plugin.name} needs the service "${token.id}", which no plugin provides`,
            follows: [owner === 'kernel' ? wrongKernelOf(plugin) : missingDependency(plugin, owner)],
          });
        else if (!allowed.has(owner))
          problems.push({ text: `${part} of ${plugin.name} uses "${token.id}" without dependsOn: ['${owner}']` });
      }
    }
  }
  const givenIds = new Set(given.map(({ token }) => token.id));
  const services = plugins.flatMap((plugin) => plugin.providers).filter(({ token }) => !givenIds.has(token.id));
  const entries = plugins.flatMap((plugin) => plugin.contributions);
  return [...problems, ...circularServices([...given, ...services], entries).map((text) => ({ text }))];
}

/**
 * Finds services with more than one token: made anew instead of imported, or exported by two installed copies of a
 * package. A token is its object, so only one of them has the service (platform X-13).
 */
function doubledTokens(plugins: readonly Plugin[], given: readonly Provider[]): readonly Problem[] {
  const first = new Map<string, { readonly key: symbol; readonly user: string }>();
  const texts = new Set<string>();
  const look = (token: Token<unknown>, user: string): void => {
    const known = first.get(token.id);
    if (known === undefined) first.set(token.id, { key: token.key, user });
    else if (known.key !== token.key)
      texts.add(
        `${known.user} and ${user} have different tokens of the name "${token.id}". Import the token from the package ` +
          'that exports it, and install that package only once (npm dedupe)',
      );
  };
  for (const { token } of given) look(token, 'the host');
  for (const plugin of plugins) for (const { token } of plugin.providers) look(token, plugin.name);
  for (const plugin of plugins) {
    for (const { collection } of plugin.contributions) look(collection, plugin.name);
    for (const [, services] of servicesOf(plugin)) for (const token of tokensOf(services)) look(token, plugin.name);
  }
  return [...texts].map((text) => ({ text }));
}

/** The tokens that a part uses, other than those that a circular import left undefined. */
function tokensOf(services: ServiceTokens): readonly Token<unknown>[] {
  return Object.values<Token<unknown> | undefined>(services).filter((token) => token !== undefined);
}

function servicesOf(plugin: Plugin): readonly (readonly [string, ServiceTokens])[] {
  return [
    ['start', plugin.services],
    ...[
      ...plugin.operations,
      ...plugin.views,
      ...plugin.queries,
      ...plugin.routes,
      ...plugin.tools,
      ...plugin.jobs,
      ...plugin.runs,
      ...plugin.commands,
    ].map((part) => [`${part.kind} "${part.name}"`, part.services] as const),
    ...plugin.fields.map(({ on, name, services }) => [`field "${on}.${name}"`, services] as const),
    ...plugin.providers.map((provider) => [`service "${provider.token.id}"`, provider.services] as const),
    ...plugin.contributions.map((entry) => [`entry "${entry.key}"`, entry.services] as const),
  ];
}

/** Finds circular services, including through entries of collections; each message names the whole circle. */
function circularServices(providers: readonly Provider[], entries: readonly Contribution[]): readonly string[] {
  const edges = new Map<string, string[]>();
  const add = (from: string, to: readonly string[]) => edges.set(from, [...(edges.get(from) ?? []), ...to]);
  const idsOf = (part: { readonly services: ServiceTokens }) => tokensOf(part.services).map(({ id }) => id);
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

/** Finds entries of a collection whose order names an entry that is not there, or that must precede each other. */
export function wrongOrder(plugins: readonly Plugin[]): readonly Problem[] {
  const groups = new Map<string, Contribution[]>();
  for (const entry of plugins.flatMap((plugin) => plugin.contributions))
    groups.set(entry.collection.id, [...(groups.get(entry.collection.id) ?? []), entry]);
  return [...groups].flatMap(([id, entries]) => {
    const keys = new Set(entries.map(({ key }) => key));
    const unknown = entries.flatMap(({ key, before = [], after = [] }) =>
      [...before, ...after]
        .filter((other) => !keys.has(other))
        .map((other) => ({
          text: `entry "${key}" of ${id} is ordered before or after "${other}", which is not an entry of it`,
        })),
    );
    const { circle } = orderEntries(entries);
    return circle.length === 0
      ? unknown
      : [...unknown, { text: `the entries ${quoted(circle)} of ${id} precede each other` }];
  });
}

function quoted(keys: readonly string[]): string {
  return keys.map((key) => `"${key}"`).join(', ');
}

/** Finds overrides that would reach only some users of a service, because the whole uses its part without the token. */
export function overriddenParts(plugins: readonly Plugin[], override: readonly Provider[]): readonly Problem[] {
  const overridden = new Set(override.map(({ token }) => token.id));
  return plugins
    .flatMap((plugin) => plugin.providers)
    .flatMap(({ token, partOf }) =>
      partOf === undefined || !overridden.has(token.id)
        ? []
        : [
            {
              text:
                `the host overrides "${token.id}", but it is a part of "${partOf.id}", which would continue to use ` +
                'its own; remove the override',
            },
          ],
    );
}
