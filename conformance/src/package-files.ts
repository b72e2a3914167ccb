import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Resolves a path inside this package, both from the sources and from the build. */
export function packageFile(path: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder);
  return join(folder, path);
}

export function readPackageFile(path: string): string {
  return readFileSync(packageFile(path), 'utf8');
}
