import { createToken } from '@pacioli/core';
import type { FrameworkFiles } from '../library/index.ts';
import { libraryHash } from './seed-library.ts';

/** The files of the library that a deployment ships, with the version that they make. */
export interface ShippedLibrary {
  read(): { readonly files: FrameworkFiles; readonly hash: string };
}

export const shippedLibrary = createToken<ShippedLibrary>('taxonomy.shipped-library');

/**
 * The database gets the library at start, and the catalogue in memory is made by its first use. A package that is
 * replaced in between would make them differ, so files of another version than those of the first read are refused.
 * Only the hash is kept: the texts are megabytes, which a service at rest has no use for.
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
        'The files of the taxonomy library were replaced while the service was running. Start the service again: it brings its database to their version.',
      );
    },
  };
}
