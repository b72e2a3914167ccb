// Written by `npm run gen`. Do not edit.
import type { PluginParts } from '@pacioli/core';
import createBackup from './operations/create-backup.ts';
import createSubgraph from './operations/create-subgraph.ts';
import deleteSubgraph from './operations/delete-subgraph.ts';
import materialize from './operations/materialize.ts';
import executeCypher from './routes/execute-cypher.ts';
import exportGraphSchema from './routes/export-graph-schema.ts';
import getBackupDownloadUrl from './routes/get-backup-download-url.ts';
import getBackupStats from './routes/get-backup-stats.ts';
import getDatabaseHealth from './routes/get-database-health.ts';
import getDatabaseInfo from './routes/get-database-info.ts';
import getGraphLimits from './routes/get-graph-limits.ts';
import getGraphMetrics from './routes/get-graph-metrics.ts';
import getGraphSchema from './routes/get-graph-schema.ts';
import getGraphUsage from './routes/get-graph-usage.ts';
import getSubgraphInfo from './routes/get-subgraph-info.ts';
import listBackups from './routes/list-backups.ts';
import listSubgraphs from './routes/list-subgraphs.ts';
import validateSchema from './routes/validate-schema.ts';
import dropSubgraphDatabase from './jobs/drop-subgraph-database.ts';
import expireBackups from './jobs/expire-backups.ts';
import measureStorage from './jobs/measure-storage.ts';
import materializedEvent from './events/materialized.ts';
import subgraphDeletedEvent from './events/subgraph-deleted.ts';
import restore from './commands/restore.ts';

export const all = {
  operations: [createBackup, createSubgraph, deleteSubgraph, materialize],
  routes: [executeCypher, exportGraphSchema, getBackupDownloadUrl, getBackupStats, getDatabaseHealth, getDatabaseInfo, getGraphLimits, getGraphMetrics, getGraphSchema, getGraphUsage, getSubgraphInfo, listBackups, listSubgraphs, validateSchema],
  jobs: [dropSubgraphDatabase, expireBackups, measureStorage],
  events: [materializedEvent, subgraphDeletedEvent],
  commands: [restore],
} as const satisfies PluginParts;
