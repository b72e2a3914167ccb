import { definePlugin, kernel } from '@pacioli/core';
import { all } from './all.gen.ts';
import { readFrameworkFiles } from './framework-files.ts';
import { services } from './services.ts';
import { libraryHash, seedLibrary } from './store/seed-library.ts';
import { library } from './tokens.ts';

export default definePlugin({
  name: 'taxonomy',
  title: 'Taxonomies, the shipped library and mappings',
  version: '0.1.0',
  kernel: '^0.1.0',
  services,
  migrations: new URL('./migrations/', import.meta.url),
  needs: { store: kernel.store, library },
  ...all,

  async start({ use, ctx }) {
    const outcome = await seedLibrary(use.store, {
      rows: use.library.rows,
      hash: libraryHash(readFrameworkFiles()),
      now: ctx.now(),
    });
    if (outcome === 'seeded') ctx.log.info('The taxonomy library was brought to the version of this release.');
  },
});
