import { resolve } from 'node:path';
import { defineCommand, graphSchemas, kernel, model, subgraphs } from '@pacioli/core';
import { Type } from 'typebox';
import { replaceableGraph } from '../backups/index.ts';
import { importBundle, readBundle } from '../bundles/index.ts';
import { counted, rowCount, rowsText } from '../row-count.ts';
import { analyticalGraph } from '../tokens.ts';

/** Puts the rows of a bundle in the place of a graph's database (graphs P-3). */
export default defineCommand({
  name: 'import',
  summary: 'Imports a bundle into a graph or subgraph with the same schema, on the graph engine of this deployment.',
  help: `All files are verified first. The database is built next to the one that is read, and takes its place when it has
the rows of the manifest; a failure leaves the graph as it was. What the graph has now is backed up first, unless
--skip-final-backup is given. With the embedded store, stop the server first. The next materialization of a graph with
records or files replaces the imported rows by those.`,
  options: model('ImportOptions', {
    folder: Type.String({ description: 'the folder that `pacioli export` has written' }),
    graph: Type.String({ description: 'id of the graph or subgraph' }),
    skip_final_backup: Type.Optional(Type.Boolean({ description: 'do not back up what the graph has now' })),
  }),
  positional: ['folder'],
  services: {
    graphs: kernel.graphs,
    subgraphs,
    schemas: graphSchemas,
    store: kernel.store,
    graphStore: kernel.graphStore,
    staging: kernel.stagingStore,
    files: kernel.fileStore,
    clock: kernel.clock,
    ids: kernel.ids,
    log: kernel.log,
    analytical: analyticalGraph,
  },

  async run({ options, ctx: { store, print, signal }, use }) {
    const graph = await store.transaction('kernel', (tx) => replaceableGraph(tx, use.graphs, options.graph));
    const bundle = await readBundle(resolve(options.folder));
    const { manifest } = bundle;
    if (manifest.graph_id !== graph.id) print(`The bundle is of ${manifest.graph_id}; it is imported to ${graph.id}.`);
    const { stats, finalBackupId } = await importBundle(use, {
      graph,
      bundle,
      takesFinalBackup: options.skip_final_backup !== true,
      signal,
      onTable: ({ name, rows }) => print(`${name}: ${rowsText(rows)}`),
    });
    if (finalBackupId !== undefined)
      print(`What the graph had before is in the backup ${finalBackupId}, kept for 90 days.`);
    print(
      `Imported ${counted(rowCount(stats.nodes), 'node')} and ${counted(rowCount(stats.relationships), 'relationship')} of ${manifest.exported_at}.`,
    );
    return 0;
  },
});
