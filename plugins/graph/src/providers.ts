import {
  contribute,
  eventPublisher,
  graphReads,
  graphRemovalSteps,
  graphSchemas,
  kernel,
  operationRuns,
  provide,
  subgraphs,
} from '@pacioli/core';
import { QuerySlots, querySlots } from './cypher/index.ts';
import { createAnalyticalGraph, createBuilder } from './generations/index.ts';
import { QueryCounts, queryCounts } from './health/index.ts';
import { GraphDataRemoval } from './removal/index.ts';
import { RunningStatements, runningStatements } from './subgraphs/index.ts';
import { analyticalGraph, graphBuilder } from './tokens.ts';
import { measureGraphStorage, WriteLimit, writeLimit } from './usage/index.ts';

export const providers = [
  provide(writeLimit, {
    services: {
      store: kernel.store,
      graphStore: kernel.graphStore,
      staging: kernel.stagingStore,
      subgraphs,
      clock: kernel.clock,
    },
    create: ({ clock, ...sources }) =>
      new WriteLimit({ clock, measure: async (graphId) => (await measureGraphStorage(sources, graphId)).durableBytes }),
  }),
  provide(querySlots, { create: () => new QuerySlots() }),
  provide(queryCounts, {
    services: { store: kernel.store, clock: kernel.clock, log: kernel.log },
    create: (use) => new QueryCounts(use),
    stop: (service) => service.flush(),
  }),
  provide(runningStatements, { create: () => new RunningStatements() }),
  provide(analyticalGraph, {
    services: {
      running: runningStatements,
      store: kernel.store,
      graphs: kernel.graphs,
      graphStore: kernel.graphStore,
      schemas: graphSchemas,
      subgraphs,
      log: kernel.log,
      clock: kernel.clock,
    },
    create: ({ running, ...use }) => {
      const analytical = createAnalyticalGraph(use);
      return {
        ...analytical,
        addTables: (graph, schema) => running.track(graph.id, () => analytical.addTables(graph, schema)),
        query: (graph, statement, options) => {
          const run = () => analytical.query(graph, statement, options);
          return options.writes === 'allowed' && graph.parentId !== undefined ? running.track(graph.id, run) : run();
        },
      };
    },
  }),
  provide(graphBuilder, {
    services: {
      store: kernel.store,
      graphs: kernel.graphs,
      graphStore: kernel.graphStore,
      staging: kernel.stagingStore,
      schemas: graphSchemas,
      analytical: analyticalGraph,
      events: eventPublisher,
      runs: operationRuns,
      log: kernel.log,
    },
    create: createBuilder,
  }),
];

export const contributions = [
  contribute(graphReads, 'analytical-graph', {
    services: { analytical: analyticalGraph },
    create: ({ analytical }) => ({ rows: analytical.rows, freshness: analytical.freshness }),
  }),
  contribute(graphRemovalSteps, 'analytical-graph', {
    services: {
      store: kernel.store,
      graphStore: kernel.graphStore,
      staging: kernel.stagingStore,
      files: kernel.fileStore,
      clock: kernel.clock,
      ids: kernel.ids,
      log: kernel.log,
      subgraphs,
      schemas: graphSchemas,
      analytical: analyticalGraph,
      builder: graphBuilder,
    },
    create: (use) => new GraphDataRemoval(use),
  }),
];
