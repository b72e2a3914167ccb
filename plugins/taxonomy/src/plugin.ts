import { definePlugin, eventPublisher, kernel, type TableAccess } from '@pacioli/core';
import { all } from './all.gen.ts';
import { config } from './config.ts';
import { libraryRows, parseFrameworks } from './library/index.ts';
import { seedLibrary } from './library-upgrades/index.ts';
import { MappingAnnouncements } from './mapping-announcements.ts';
import { providers, shippedLibrary } from './providers.ts';

/** Every graph reads the rows of the shipped library in addition to its own. */
const shipped: TableAccess = { sharedGraph: 'library' };

export default definePlugin({
  name: 'taxonomy',
  title: 'Taxonomies, the shipped library and mappings',
  version: '0.1.0',
  kernel: '^0.1.0',
  config,
  providers,
  migrations: new URL('./migrations/', import.meta.url),
  tables: {
    // A release that retires a concept moves the mappings of all graphs.
    taxonomy_association: { ...shipped, kernelScope: 'write' },
    taxonomy_element: shipped,
    taxonomy_library_version: shipped,
    taxonomy_rule: shipped,
    taxonomy_structure: shipped,
    taxonomy_taxonomy: shipped,
    // A release checks which graphs are pinned to an edition that it replaces.
    taxonomy_view: { kernelScope: 'read' },
  },
  securityDefinerFunctions: ['taxonomy_gather_statistics'],
  services: { store: kernel.store, graphs: kernel.graphs, shipped: shippedLibrary, events: eventPublisher },
  ...all,

  async start({ use, ctx }) {
    const { files, hash } = use.shipped.read();
    const announced = new MappingAnnouncements(use.events);
    const outcome = await seedLibrary(use.store, {
      rows: () => libraryRows(parseFrameworks(files)),
      hash,
      now: ctx.now(),
      onMoved: async (tx, graphId) => {
        await use.graphs.markStale(tx, graphId, 'library_resynced');
        await announced.changed(tx, graphId, null);
      },
    });
    if (outcome.status === 'unchanged') return;
    ctx.log.info('The taxonomy library was updated to the version of this release.');
    if (outcome.movedGraphs.length === 0) return;
    ctx.log.info('Mappings of retired concepts were moved to their replacements.', {
      graphs: outcome.movedGraphs.length,
    });
  },
});
