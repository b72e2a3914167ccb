import { kernel, provide } from '@pacioli/core';
import { createGraphStorage, graphStorageServices } from './graph-storage.ts';
import { createBuilder } from './store/stored-builder.ts';
import { createAnalyticalGraph } from './store/stored-graph.ts';
import { analyticalGraph, graphBuilder, graphStorage } from './tokens.ts';

export const providers = [
  provide(analyticalGraph, {
    services: { store: kernel.store, graphStore: kernel.graphStore, schema: kernel.analyticalSchema, log: kernel.log },
    create: createAnalyticalGraph,
  }),
  provide(graphStorage, { services: graphStorageServices, create: createGraphStorage }),
  provide(graphBuilder, {
    services: {
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
