import { defineCommand, graphSchemas, kernel, model, subgraphs } from '@pacioli/core';
import { Type } from 'typebox';
import { readArchive, replaceableGraph, restoreBackup } from '../backups/index.ts';
import { counted, rowCount } from '../row-count.ts';
import { analyticalGraph } from '../tokens.ts';

/** Puts the database of a backup in the place of a graph's (graphs B-20). */
export default defineCommand({
  name: 'restore',
  summary: 'Restores the database of a graph or subgraph from the file of a backup.',
  help: `What the graph has now is backed up first, unless --skip-final-backup is given. Queries that run while the
database is replaced end on the old one. With the embedded store, stop the server first. The database of a graph with
records or files can also be rebuilt by the operation materialize; a subgraph has nothing but its backups.`,
  options: model('RestoreOptions', {
    file: Type.String({ description: 'the downloaded file, such as kg1a2b_20260302_090000.lbug.zip' }),
    graph: Type.String({ description: 'id of the graph or subgraph' }),
    other_schema: Type.Optional(
      Type.Boolean({ description: 'restore a backup with another schema, such as one from before an extension' }),
    ),
    skip_final_backup: Type.Optional(Type.Boolean({ description: 'do not back up what the graph has now' })),
  }),
  positional: ['file'],
  services: {
    graphs: kernel.graphs,
    subgraphs,
    schemas: graphSchemas,
    store: kernel.store,
    graphStore: kernel.graphStore,
    files: kernel.fileStore,
    clock: kernel.clock,
    ids: kernel.ids,
    log: kernel.log,
    analytical: analyticalGraph,
  },

  async run({ options, ctx: { store, print, signal }, use }) {
    const graph = await store.transaction('kernel', (tx) => replaceableGraph(tx, use.graphs, options.graph));
    const archive = await readArchive(options.file);
    try {
      const { manifest } = archive;
      if (manifest.graph_id !== graph.id)
        print(`The backup is of ${manifest.graph_id}; it is restored to ${graph.id}.`);
      const takesFinalBackup = options.skip_final_backup !== true;
      const takesOtherSchema = options.other_schema === true;
      const request = { graph, archive, takesFinalBackup, takesOtherSchema, signal };
      const { stats, finalBackupId } = await restoreBackup(use, request);
      if (finalBackupId !== undefined)
        print(`What the graph had before is in the backup ${finalBackupId}, kept for 90 days.`);
      print(
        `Restored ${counted(rowCount(stats.nodes), 'node')} and ${counted(rowCount(stats.relationships), 'relationship')} of ${manifest.taken_at}.`,
      );
      return 0;
    } finally {
      archive.close();
    }
  },
});
