import { kernel, provide } from '@pacioli/core';
import { createGraphStorage, graphStorageNeeds } from './graph-storage.ts';
import { createBuilder } from './store/stored-builder.ts';
import { createAnalyticalGraph } from './store/stored-graph.ts';
import { analyticalGraph, graphBuilder, graphStorage } from './tokens.ts';

export const services = [
  provide(analyticalGraph, {
    needs: { store: kernel.store, graphStore: kernel.graphStore, schema: kernel.analyticalSchema, log: kernel.log },
    create: createAnalyticalGraph,
  }),
  provide(graphStorage, { needs: graphStorageNeeds, create: createGraphStorage }),
  provide(graphBuilder, {
    needs: {
      store: kernel.store,
      graphs: kernel.graphs,
      graphStore: kernel.graphStore,
      schema: kernel.analyticalSchema,
      analytical: analyticalGraph,
      log: kernel.log,
    },
    create: createBuilder,
  }),
];
