import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from '@pacioli/core';
import { assemble, inOrder, kernelPlugin, migrationSets } from '@pacioli/core/assembly';
import type { PreparedContent } from '@pacioli/store-postgres/testing';

/** The tables of these plugins and the rows that come with their packages, which every graph reads beside its own. */
export function shippedContent(plugins: readonly Plugin[]): PreparedContent {
  const { ordered } = inOrder([kernelPlugin, ...plugins]);
  const shipping = withDependencies(ordered.filter(shipsRows), ordered);
  return {
    sets: migrationSets(ordered),
    version: shipping.map(stampOf).join('\n'),
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
  if (migrations === undefined) return name;
  const folder = fileURLToPath(new URL('..', migrations));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const stamps = files.map((file) => {
    const { size, mtimeMs } = statSync(join(folder, file));
    return `${file} ${size} ${mtimeMs}`;
  });
  return [name, ...stamps].join('\n');
}
