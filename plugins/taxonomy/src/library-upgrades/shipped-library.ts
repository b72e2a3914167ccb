import type { FrameworkFiles } from '../library/index.ts';
import { libraryHash } from './seed-library.ts';

/** The files of the library that a deployment ships, with the version that they make. */
export interface ShippedLibrary {
  read(): { readonly files: FrameworkFiles; readonly hash: string };
}

/**
 * The database is seeded at start, and the catalog in memory is built on first use. If the package were replaced in
 * between, the two would differ, so files of another version than at the first read are rejected. Only the hash is
 * kept, because the texts are megabytes that an idle service does not need.
 */
export function createShippedLibrary(readFiles: () => FrameworkFiles): ShippedLibrary {
  let first: string | undefined;
  return {
    read: () => {
      const files = readFiles();
      const hash = libraryHash(files);
      first ??= hash;
      if (hash === first) return { files, hash };
      throw new Error(
        'The files of the taxonomy library were replaced while the service was running. Restart the service, which then upgrades its database to them.',
      );
    },
  };
}
