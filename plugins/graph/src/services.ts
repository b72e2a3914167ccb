import { kernel, provide } from '@pacioli/core';
import { createBuilder } from './store/stored-builder.ts';
import { createAnalyticalGraph } from './store/stored-graph.ts';
import { analyticalGraph, graphBuilder } from './tokens.ts';

export const services = [
  provide(analyticalGraph, {
    needs: { store: kernel.store, graphStore: kernel.graphStore, schema: kernel.analyticalSchema },
    create: createAnalyticalGraph,
  }),
  provide(graphBuilder, {
    needs: {
      store: kernel.store,
      graphs: kernel.graphs,
      graphStore: kernel.graphStore,
      schema: kernel.analyticalSchema,
      analytical: analyticalGraph,
    },
    create: createBuilder,
  }),
];
