/** The files of `plugins/template` as `create-pacioli-plugin` writes them: with a package.json for npm alone. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

interface Manifest {
  readonly version: string;
  readonly [field: string]: unknown;
}

type Versions = Readonly<Record<string, string>>;

const ignored = 'node_modules/\ndist/\n.pacioli/\n*.tgz\n';
const leftOut = /^(?:node_modules|dist|api\.txt)$/;

/** The module with the template, by path and text. */
export function pluginTemplate(root: string): { readonly path: string; readonly text: string } {
  const folder = join(root, 'plugins', 'template');
  const texts = filesBelow(folder, '').map((path) => [path, readFileSync(join(folder, path), 'utf8')] as const);
  const manifest = manifestForNpm(readJson(join(folder, 'package.json')), versionsOf(root));
  const files = { ...Object.fromEntries(texts), '.gitignore': ignored, 'package.json': manifest };
  const text = `// Written by \`npm run gen\` from plugins/template. Do not edit.\nexport const template: Readonly<Record<string, string>> = ${JSON.stringify(files, null, 2)};\n`;
  return { path: join(root, 'hosts/create-pacioli-plugin/src/template.gen.ts'), text };
}

function filesBelow(folder: string, path: string): readonly string[] {
  return readdirSync(join(folder, path), { withFileTypes: true })
    .filter(({ name }) => !leftOut.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const below = path === '' ? entry.name : `${path}/${entry.name}`;
      return entry.isDirectory() ? filesBelow(folder, below) : [below];
    });
}

/** Outside of this workspace there is no catalog and no condition for sources. */
function manifestForNpm(manifest: Manifest, versions: Versions): string {
  const plain = (dependencies: unknown): Versions =>
    Object.fromEntries(
      Object.keys(dependencies as Versions).map((name) => {
        const version = name.startsWith('@pacioli/') ? manifest.version : versions[name];
        if (version === undefined) throw new Error(`plugins/template depends on ${name}, which is not in the catalog.`);
        return [name, `^${version}`];
      }),
    );
  const { private: _private, license: _license, ...rest } = manifest;
  const changed = {
    ...rest,
    name: 'pacioli-plugin-watchlist',
    description: 'A plugin for Pacioli.',
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    peerDependencies: plain(manifest['peerDependencies']),
    dependencies: plain(manifest['dependencies']),
    devDependencies: plain(manifest['devDependencies']),
    // A package of the console reports each installation to its maker unless the installing package says no.
    scarfSettings: { enabled: false },
  };
  return `${JSON.stringify(changed, null, 2)}\n`;
}

function versionsOf(root: string): Versions {
  return (parse(readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8')) as { readonly catalog: Versions }).catalog;
}

function readJson(path: string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest; // A package.json of this repository.
}
