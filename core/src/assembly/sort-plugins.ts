import type { Plugin } from '../define/plugin.ts';

/** Sorts plugins so that each follows its dependencies, ties by name. The host's order has no effect. */
export function sortPlugins(plugins: readonly Plugin[]): {
  readonly ordered: readonly Plugin[];
  /** Names of the plugins that are part of a dependency cycle or depend on one; empty if there is none. */
  readonly unsorted: readonly string[];
} {
  const remaining = new Map(
    [...plugins].sort((a, b) => (a.name < b.name ? -1 : 1)).map((plugin) => [plugin.name, plugin]),
  );
  const ordered: Plugin[] = [];
  while (remaining.size > 0) {
    const next = [...remaining.values()].find((plugin) => plugin.dependsOn.every((name) => !remaining.has(name)));
    if (next === undefined) return { ordered, unsorted: [...remaining.keys()] };
    remaining.delete(next.name);
    ordered.push(next);
  }
  return { ordered, unsorted: [] };
}
