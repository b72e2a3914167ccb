// Written by `npm run gen`. Do not edit.
import type { PluginParts } from '@pacioli/core';
import createSubgraph from './operations/create-subgraph.ts';
import materialize from './operations/materialize.ts';
import executeCypher from './routes/execute-cypher.ts';
import exportGraphSchema from './routes/export-graph-schema.ts';
import getDatabaseHealth from './routes/get-database-health.ts';
import getDatabaseInfo from './routes/get-database-info.ts';
import getGraphLimits from './routes/get-graph-limits.ts';
import getGraphMetrics from './routes/get-graph-metrics.ts';
import getGraphSchema from './routes/get-graph-schema.ts';
import getGraphUsage from './routes/get-graph-usage.ts';
import getSubgraphInfo from './routes/get-subgraph-info.ts';
import listSubgraphs from './routes/list-subgraphs.ts';
import validateSchema from './routes/validate-schema.ts';
import measureStorage from './jobs/measure-storage.ts';
import materializedEvent from './events/materialized.ts';

export const all = {
  operations: [createSubgraph, materialize],
  routes: [executeCypher, exportGraphSchema, getDatabaseHealth, getDatabaseInfo, getGraphLimits, getGraphMetrics, getGraphSchema, getGraphUsage, getSubgraphInfo, listSubgraphs, validateSchema],
  jobs: [measureStorage],
  events: [materializedEvent],
} as const satisfies PluginParts;
