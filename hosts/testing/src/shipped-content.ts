import { fileURLToPath } from 'node:url';
import type { Plugin } from '@pacioli/core';
import { assemble, kernelPlugin, migrationSets, sortPlugins } from '@pacioli/core/assembly';
import { folderStamp, type PreparedContent } from '@pacioli/store-postgres/testing';

/**
 * Prepares the state of a new deployment with these plugins: runs all migrations, then starts the plugins that ship
 * rows (in a table with a shared graph) and their dependencies.
 */
export function shippedContent(plugins: readonly Plugin[]): PreparedContent {
  const { ordered } = sortPlugins([kernelPlugin, ...plugins]);
  const shipping = withDependencies(ordered.filter(shipsRows), ordered);
  return {
    sets: migrationSets(ordered),
    version: [kernelPlugin, ...shipping].map(stampOf).join('\n'),
    async fill(store) {
      if (shipping.length === 0) return;
      const service = await assemble({
        plugins: shipping,
        store,
        auth: {
          jwtSecret: 'a secret that nothing is signed with: 01',
          issuer: 'pacioli-test',
          audience: 'pacioli-test',
        },
      });
      await service.close();
    },
  };
}

function shipsRows({ tables }: Plugin): boolean {
  return Object.values(tables).some(({ sharedGraph }) => sharedGraph !== undefined);
}

function withDependencies(wanted: readonly Plugin[], all: readonly Plugin[]): readonly Plugin[] {
  const names = new Set(wanted.flatMap(({ name, dependsOn }) => [name, ...dependsOn]));
  const found = all.filter(({ name }) => names.has(name) && name !== kernelPlugin.name);
  return found.length === wanted.length ? found : withDependencies(found, all);
}

/** Changes with any file of the plugin's package, because code and data determine the rows it writes at startup. */
function stampOf({ name, migrations }: Plugin): string {
  // The migrations are two levels below the folder of the package.
  return migrations === undefined ? name : folderStamp(fileURLToPath(new URL('../..', migrations)));
}
