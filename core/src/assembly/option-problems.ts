import type { Plugin } from '../define/plugin.ts';
import { type GivenSettings, settingProblems } from '../settings/kernel-settings.ts';
import { circularImport } from './problem.ts';

/** The options that are checked; a host in JavaScript may pass anything. */
interface GivenOptions {
  readonly plugins?: unknown;
  readonly aliases?: object;
  readonly settings?: GivenSettings;
  readonly store?: unknown;
  readonly auth?: unknown;
  readonly identity?: unknown;
}

/** Finds options of a set that are missing or of another kind, which would otherwise surface as a TypeError. */
export function setOptionProblems(given: GivenOptions | null | undefined): readonly string[] {
  if (typeof given !== 'object' || given === null) return ['the options are missing: pass plugins and a store'];
  return [
    ...pluginProblems(given.plugins),
    ...Object.entries(given.aliases ?? {})
      .filter(([, names]) => !Array.isArray(names))
      .map(([domain]) => `the aliases of the domain "${domain}" must be a list of names`),
    ...settingProblems(given.settings),
  ];
}

/** Finds options of a deployment that are missing: its set, its store and its identity. */
export function hostOptionProblems(given: GivenOptions | null | undefined): readonly string[] {
  const problems = [...setOptionProblems(given)];
  if (typeof given !== 'object' || given === null) return problems;
  const { store, auth, identity } = given;
  if (typeof store !== 'object' || store === null || !('transaction' in store))
    problems.push('the option "store" is missing: pass a store, such as that of @pacioli/store-postgres');
  if (auth === undefined && identity === undefined)
    problems.push(
      'the option "auth" is missing: pass { jwtSecret, issuer, audience } for accounts, or an "identity" of your own',
    );
  return problems;
}

function pluginProblems(plugins: unknown): readonly string[] {
  if (!Array.isArray(plugins)) return ['the option "plugins" must be a list of plugins'];
  return plugins.flatMap((entry: unknown, index) => {
    if (isPlugin(entry)) return partProblems(entry);
    return [`plugins[${index}] is ${otherThanPlugin(entry)}`];
  });
}

/** Finds parts that are undefined or in the list of another kind. */
function partProblems(plugin: Plugin): readonly string[] {
  const { operations, views, queries, fields, routes, jobs, events, commands } = plugin;
  return Object.entries({ operations, views, queries, fields, routes, jobs, events, commands }).flatMap(
    ([list, parts]) =>
      [...parts.entries()].flatMap(([index, part]: [number, { readonly kind?: string } | undefined]) => {
        const kind = list === 'queries' ? 'query' : list.slice(0, -1);
        if (part?.kind === kind) return [];
        const found = part === undefined ? `undefined: ${circularImport}` : `not made with define${capitalized(kind)}`;
        return [`${list}[${index}] of ${plugin.name} is ${found}`];
      }),
  );
}

function capitalized(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

function otherThanPlugin(entry: unknown): string {
  if (entry == null) return `${String(entry)}: ${circularImport}`;
  if (typeof entry === 'object' && 'default' in entry) {
    // A module that was imported by CommonJS may have its exports one level deeper.
    const { default: exported } = entry;
    if (isPlugin(exported)) return `the module of the plugin "${exported.name}": pass its default export`;
    return otherThanPlugin(exported);
  }
  return 'not a plugin: make it with definePlugin';
}

function isPlugin(value: unknown): value is Plugin {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'plugin';
}
