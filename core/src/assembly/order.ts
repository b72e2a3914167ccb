import type { Plugin } from '../define/plugin.ts';

/** Sorts plugins by dependencies, then by name, independent of the order in the host's list. */
export function inOrder(plugins: readonly Plugin[]): {
  readonly ordered: readonly Plugin[];
  readonly circle: readonly string[];
} {
  const left = new Map([...plugins].sort((a, b) => (a.name < b.name ? -1 : 1)).map((plugin) => [plugin.name, plugin]));
  const ordered: Plugin[] = [];
  while (left.size > 0) {
    const next = [...left.values()].find((plugin) => plugin.dependsOn.every((name) => !left.has(name)));
    if (next === undefined) return { ordered, circle: [...left.keys()] };
    left.delete(next.name);
    ordered.push(next);
  }
  return { ordered, circle: [] };
}
