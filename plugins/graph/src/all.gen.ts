// Written by `npm run gen`. Do not edit.
import type { PluginParts } from '@pacioli/core';
import createBackup from './operations/create-backup.ts';
import createFileUpload from './operations/create-file-upload.ts';
import createSubgraph from './operations/create-subgraph.ts';
import deleteFile from './operations/delete-file.ts';
import deleteGraph from './operations/delete-graph.ts';
import deleteSubgraph from './operations/delete-subgraph.ts';
import ingestFile from './operations/ingest-file.ts';
import materialize from './operations/materialize.ts';
import executeCypher from './routes/execute-cypher.ts';
import executeSql from './routes/execute-sql.ts';
import exportGraphSchema from './routes/export-graph-schema.ts';
import getBackupDownloadUrl from './routes/get-backup-download-url.ts';
import getBackupStats from './routes/get-backup-stats.ts';
import getDatabaseHealth from './routes/get-database-health.ts';
import getDatabaseInfo from './routes/get-database-info.ts';
import getFileDownloadUrl from './routes/get-file-download-url.ts';
import getFile from './routes/get-file.ts';
import getGraphLimits from './routes/get-graph-limits.ts';
import getGraphMetrics from './routes/get-graph-metrics.ts';
import getGraphSchema from './routes/get-graph-schema.ts';
import getGraphUsage from './routes/get-graph-usage.ts';
import getSubgraphInfo from './routes/get-subgraph-info.ts';
import listBackups from './routes/list-backups.ts';
import listFiles from './routes/list-files.ts';
import listSubgraphs from './routes/list-subgraphs.ts';
import listTables from './routes/list-tables.ts';
import validateSchema from './routes/validate-schema.ts';
import addNodeTable from './tools/add-node-table.ts';
import addRelationshipTable from './tools/add-relationship-table.ts';
import getExampleQueries from './tools/get-example-queries.ts';
import getGraphInfo from './tools/get-graph-info.ts';
import getGraphSchemaTool from './tools/get-graph-schema.ts';
import listSubgraphsTool from './tools/list-subgraphs.ts';
import readGraphCypher from './tools/read-graph-cypher.ts';
import resolveSubgraph from './tools/resolve-subgraph.ts';
import writeGraphCypher from './tools/write-graph-cypher.ts';
import backUpChangedGraphs from './jobs/back-up-changed-graphs.ts';
import dropSubgraphDatabase from './jobs/drop-subgraph-database.ts';
import expireBackups from './jobs/expire-backups.ts';
import measureStorage from './jobs/measure-storage.ts';
import refreshStaleGraphs from './jobs/refresh-stale-graphs.ts';
import removeDeletedFile from './jobs/remove-deleted-file.ts';
import removeUnfinishedSubgraphs from './jobs/remove-unfinished-subgraphs.ts';
import sweepOrphanFiles from './jobs/sweep-orphan-files.ts';
import sweepUploads from './jobs/sweep-uploads.ts';
import cypherQuery from './runs/cypher-query.ts';
import readGraphCypherRun from './runs/read-graph-cypher.ts';
import fileDeletedEvent from './events/file-deleted.ts';
import materializedEvent from './events/materialized.ts';
import subgraphDeletedEvent from './events/subgraph-deleted.ts';
import exportPart from './commands/export.ts';
import importPart from './commands/import.ts';
import restore from './commands/restore.ts';

export const all = {
  operations: [createBackup, createFileUpload, createSubgraph, deleteFile, deleteGraph, deleteSubgraph, ingestFile, materialize],
  routes: [executeCypher, executeSql, exportGraphSchema, getBackupDownloadUrl, getBackupStats, getDatabaseHealth, getDatabaseInfo, getFileDownloadUrl, getFile, getGraphLimits, getGraphMetrics, getGraphSchema, getGraphUsage, getSubgraphInfo, listBackups, listFiles, listSubgraphs, listTables, validateSchema],
  tools: [addNodeTable, addRelationshipTable, getExampleQueries, getGraphInfo, getGraphSchemaTool, listSubgraphsTool, readGraphCypher, resolveSubgraph, writeGraphCypher],
  jobs: [backUpChangedGraphs, dropSubgraphDatabase, expireBackups, measureStorage, refreshStaleGraphs, removeDeletedFile, removeUnfinishedSubgraphs, sweepOrphanFiles, sweepUploads],
  runs: [cypherQuery, readGraphCypherRun],
  events: [fileDeletedEvent, materializedEvent, subgraphDeletedEvent],
  commands: [exportPart, importPart, restore],
} as const satisfies PluginParts;
