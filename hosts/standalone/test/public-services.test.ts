// Goal: our plugins have no privileges. Method: every token that a plugin uses of another package is looked up, as the
// same object, among the exports of that package, and every imported path among the `exports` of its package.json.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as billing from '@pacioli/billing';
import * as blocks from '@pacioli/blocks';
import * as connections from '@pacioli/connections';
import * as core from '@pacioli/core';
import * as identity from '@pacioli/core/identity';
import * as graph from '@pacioli/graph';
import * as investor from '@pacioli/investor';
import * as ledger from '@pacioli/ledger';
import * as mcp from '@pacioli/mcp';
import * as memory from '@pacioli/memory';
import * as operators from '@pacioli/operators';
import * as reporting from '@pacioli/reporting';
import * as search from '@pacioli/search';
import * as taxonomy from '@pacioli/taxonomy';
import { describe, expect, it } from 'vitest';
import { plugins } from '../src/plugins.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const packages: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  billing,
  blocks,
  connections,
  graph,
  investor,
  ledger,
  mcp,
  memory,
  operators,
  reporting,
  search,
  taxonomy,
};

const exported: Readonly<Record<string, ReadonlySet<unknown>>> = {
  kernel: new Set([core, core.kernel, identity].flatMap((each) => Object.values<unknown>(each))),
  ...Object.fromEntries(Object.entries(packages).map(([name, all]) => [name, new Set(Object.values(all))])),
};

/** The tokens that the parts of a plugin name, other than its own. */
function tokensOfOthers(plugin: core.Plugin): ReadonlyMap<string, object> {
  const { operations, views, queries, routes, jobs, providers, contributions } = plugin;
  const parts = [plugin, ...operations, ...views, ...queries, ...routes, ...jobs, ...providers, ...contributions];
  const tokens = [
    ...parts.flatMap((part) => Object.values(part.services)),
    ...contributions.map(({ collection }) => collection),
  ];
  return new Map(tokens.filter(({ id }) => ownerOf(id) !== plugin.name).map((token) => [token.id, token]));
}

const isToken = (value: unknown) => typeof value === 'object' && value !== null && 'id' in value && 'key' in value;

const ownerOf = (tokenId: string) => tokenId.split('.')[0] ?? '';

/** The paths below our packages that the sources of a plugin import, such as `@pacioli/core/calendar`. */
function importsOf(plugin: string): ReadonlySet<string> {
  const folder = join(root, 'plugins', plugin, 'src');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
  return new Set(
    sources.flatMap((text) => [...text.matchAll(/from '(@pacioli\/[^']+)'/g)].map(([, path]) => path ?? '')),
  );
}

describe('the plugins of this repository', () => {
  it('are all looked at', () => {
    expect(plugins.map(({ name }) => name).sort()).toEqual(Object.keys(packages).sort());
    expect(plugins.flatMap((plugin) => [...tokensOfOthers(plugin)]).length).toBeGreaterThan(50);
  });

  it.each(plugins.map((plugin) => [plugin.name, plugin] as const))(
    'use services that third parties can use: %s (platform X-13)',
    (_name, plugin) => {
      const hidden = [...tokensOfOthers(plugin)].filter(([id, token]) => exported[ownerOf(id)]?.has(token) !== true);
      expect(hidden.map(([id]) => id)).toEqual([]);
    },
  );

  it.each(Object.entries(packages))('list their services in their readme: %s', (name, all) => {
    const readme = readFileSync(join(root, 'plugins', name, 'README.md'), 'utf8');
    const tokens = Object.keys(all).filter((each) => isToken(all[each]));
    expect(tokens.filter((each) => !readme.includes(`\`${each}\``))).toEqual([]);
  });

  it.each(plugins.map(({ name }) => [name]))(
    'import paths that third parties can import: %s (platform X-13)',
    (name) => {
      const found = importsOf(name);
      expect(found.size).toBeGreaterThan(0);
      for (const path of found) {
        const [, owner = '', ...below] = path.split('/');
        const folder = owner === 'core' ? 'core' : `plugins/${owner}`;
        const { exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
          exports: Readonly<Record<string, object>>;
        };
        const entry = exports[below.length === 0 ? '.' : `./${below.join('/')}`];
        expect({ path, conditions: Object.keys(entry ?? {}) }).toEqual({
          path,
          conditions: expect.arrayContaining(['types', 'default']),
        });
      }
    },
  );
});
