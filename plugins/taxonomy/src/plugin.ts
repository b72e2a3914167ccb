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
  needs: { store: kernel.store, graphs: kernel.graphs, library },
  ...all,

  async start({ use, ctx }) {
    const outcome = await seedLibrary(use.store, {
      rows: use.library.rows,
      hash: libraryHash(readFrameworkFiles()),
      now: ctx.now(),
      graphs: use.graphs,
    });
    if (outcome.status === 'unchanged') return;
    ctx.log.info('The taxonomy library was brought to the version of this release.');
    if (outcome.movedGraphs.length === 0) return;
    ctx.log.info('Mappings of retired concepts were moved to the concepts in their place.', {
      graphs: outcome.movedGraphs.length,
    });
  },
});
