import { resolve } from 'node:path';
import { defineCommand, kernel, model, notFound, ServiceError } from '@pacioli/core';
import { Type } from 'typebox';
import { writeBundle } from '../bundles/index.ts';
import { counted, rowsText } from '../row-count.ts';
import { analyticalGraph } from '../tokens.ts';

/** Writes the rows of a graph as files that any engine can import (graphs P-3). */
export default defineCommand({
  name: 'export',
  summary: 'Exports the database of a graph or subgraph as a bundle: its schema and a parquet file for each table.',
  help: `The bundle is a folder that \`pacioli import\` reads into the graph of any deployment, whatever its graph engine:
manifest.json has the counts and digests of all files, schema.json the schema as create-graph accepts it. Nobody should
write to a subgraph meanwhile. With the embedded store, stop the server first.`,
  options: model('ExportOptions', {
    folder: Type.String({ description: 'the folder to write, which must not exist or be empty' }),
    graph: Type.String({ description: 'id of the graph or subgraph' }),
  }),
  positional: ['folder'],
  services: {
    graphs: kernel.graphs,
    graphStore: kernel.graphStore,
    staging: kernel.stagingStore,
    clock: kernel.clock,
    analytical: analyticalGraph,
  },

  async run({ options, ctx: { store, print, signal }, use }) {
    const graph = await store.transaction('kernel', (tx) => use.graphs.find(tx, options.graph));
    if (graph === undefined) throw notFound(`There is no graph '${options.graph}'.`);
    if (graph.status !== 'active' && graph.status !== 'suspended') {
      const message = `The graph '${graph.id}' was deleted or is being created. A deleted graph has backups for 90 days.`;
      throw new ServiceError('refused', 'GRAPH_NOT_ACTIVE', message);
    }
    const { tables } = await writeBundle(use, {
      graph,
      folder: resolve(options.folder),
      signal,
      onTable: ({ name, rows }) => print(`${name}: ${rowsText(rows)}`),
    });
    const total = tables.reduce((sum, { rows }) => sum + rows, 0);
    print(`Exported ${rowsText(total)} in ${counted(tables.length, 'table')} to ${options.folder}.`);
    return 0;
  },
});
