import type { Plugin } from '../define/plugin.ts';
import { propertyConflicts } from '../graph-schema/property-conflicts.ts';
import { missingDependency, type Problem } from './problem.ts';

/** Finds relationships with an end that would not exist, so that a materialization would leave them out (platform X-17). */
export function wrongRelationships(plugins: readonly Plugin[]): readonly Problem[] {
  const owners = new Map(plugins.flatMap(({ name, nodes }) => nodes.map((node) => [node.name, name] as const)));
  return plugins.flatMap((plugin) => {
    const allowed = ['kernel', plugin.name, ...plugin.dependsOn];
    return plugin.relationships.flatMap(({ name, from, to }) =>
      [...new Set([from, to])].flatMap((node): readonly Problem[] => {
        const what = `relationship "${name}" of ${plugin.name} joins "${node}"`;
        const owner = owners.get(node);
        if (owner === undefined) {
          const follows = plugin.dependsOn.map((each) => missingDependency(plugin, each));
          return [{ text: `${what}, which is not in the nodes of a plugin of the set`, follows }];
        }
        return allowed.includes(owner) ? [] : [{ text: `${what} of ${owner} without dependsOn: ['${owner}']` }];
      }),
    );
  });
}

/** Finds properties that have different types in two tables, whose rows an engine would read wrongly (graphs CS-6a). */
export function conflictingProperties(plugins: readonly Plugin[]): readonly Problem[] {
  const ofNodes = propertyConflicts(plugins.flatMap(({ nodes }) => nodes));
  const ofRelationships = propertyConflicts(plugins.flatMap(({ relationships }) => relationships));
  return [...ofNodes, ...ofRelationships].map((text) => ({ text }));
}
