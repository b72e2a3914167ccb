import { fileURLToPath } from 'node:url';
import type { Plugin } from '@pacioli/core';
import { assemble, inOrder, kernelPlugin, migrationSets } from '@pacioli/core/assembly';
import { folderStamp, type PreparedContent } from '@pacioli/store-postgres/testing';

/**
 * The state of a new deployment with these plugins: it runs the migrations of all, then the start of those that ship rows
 * of their own (a table with a shared graph) and of the plugins that those depend on.
 */
export function shippedContent(plugins: readonly Plugin[]): PreparedContent {
  const { ordered } = inOrder([kernelPlugin, ...plugins]);
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

/** Changes with any file of the plugin's package: code as well as data decides what it writes at its start. */
function stampOf({ name, migrations }: Plugin): string {
  // Migrations are in a folder of the sources, and those in a folder of the package.
  return migrations === undefined ? name : folderStamp(fileURLToPath(new URL('../..', migrations)));
}
