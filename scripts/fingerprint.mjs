/** Says whether a package must be built again. Plain Node, because `npm start` runs it before anything is installed. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * Changes with everything that a build of the package reads. Files count by their path below the root, so that a
 * checkout that was copied or moved is not built again.
 */
export function fingerprint(root, name) {
  const hash = createHash('sha256').update(process.version);
  for (const file of [
    ...filesBelow(join(root, name, 'src')),
    ...casesOf(root, name),
    join(root, name, 'package.json'),
    join(root, 'tsconfig.base.json'),
  ]) {
    hash.update(relative(root, file)).update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** All files below a folder, always in the same order. */
export function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)]));
}

/** Conformance cases are compiled beside the sources. */
function casesOf(root, name) {
  const folder = join(root, name, 'cases');
  return existsSync(folder) ? filesBelow(folder) : [];
}
