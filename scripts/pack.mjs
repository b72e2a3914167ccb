/** Packs the packages that are published into a folder, as `npm publish` would send them. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Packs every package that is not private, and writes the tarball of each name into `packages.json`. */
export async function pack(root, folder, { run, say }) {
  if (folder === undefined) throw new Error('Name the folder for the tarballs: npm run pack -- FOLDER');
  const target = resolve(process.env.INIT_CWD ?? '.', folder);
  mkdirSync(target, { recursive: true });
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const filter = publicPackages(root).flatMap(({ name }) => ['--filter', name]);
  const words = ['--yes', packageManager, 'pack', '--recursive', '--pack-destination', target, ...filter];
  const code = await run('npx', words, { isHushed: true });
  if (code !== 0) throw new Error('The packages could not be packed. See the output above.');
  const tarballs = Object.fromEntries(
    publicPackages(root).map(({ name, version }) => [name, `file:${join(target, tarballOf(name, version))}`]),
  );
  writeFileSync(join(target, 'packages.json'), `${JSON.stringify(tarballs, null, 2)}\n`);
  say(`Packed ${Object.keys(tarballs).length} packages into ${target}.`);
}

function tarballOf(name, version) {
  return `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
}

function publicPackages(root) {
  const below = ['plugins', 'hosts', 'hosts/drivers'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => join(parent, name)),
  );
  return ['core', 'conformance', ...below]
    .map((folder) => join(root, folder, 'package.json'))
    .filter((path) => existsSync(path))
    .map((path) => JSON.parse(readFileSync(path, 'utf8')))
    .filter((manifest) => manifest.private !== true);
}
