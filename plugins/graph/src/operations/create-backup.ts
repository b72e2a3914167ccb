import {
  defineOperation,
  graphSchemas,
  invalidInput,
  kernel,
  kernelSettings,
  model,
  nullable,
  openObject,
  operationLinks,
  ServiceError,
  tierNumbers,
} from '@pacioli/core';
import { Type } from 'typebox';
import { addBackup, backupErrors, requireBackupToday, takeBackup } from '../backups/index.ts';
import { config } from '../config.ts';
import { analyticalGraph } from '../tokens.ts';

const maxRetentionDays = 90;

export default defineOperation({
  name: 'create-backup',
  summary: 'Takes a backup of the database of the graph, which an admin can download until it expires.',
  openapi: { id: 'create_backup', tag: 'graph_operations' },
  mcp: {
    hint: 'Takes a backup of the graph, for example before a large change.',
    gate: { graphs: ['tenant'], isAdministration: true },
  },
  category: 'graph_backup',
  role: 'admin',
  runs: 'worker',
  maxSeconds: 3_600,
  restartable: true,
  dedupe: false,
  input: model(
    'BackupCreateRequest',
    {
      backup_format: Type.Optional(Type.String({ default: 'full_dump' })),
      backup_type: Type.Optional(Type.String({ default: 'full' })),
      retention_days: Type.Optional(Type.Integer({ default: 30 })),
      compression: Type.Optional(Type.Boolean({ default: true })),
      schedule: Type.Optional(nullable(Type.String())),
    },
    {
      fields: {
        backup_format: 'full_dump, the only one.',
        backup_type: 'full, the only one.',
        retention_days: 'How long it is kept, 1 to 90 days, and at most as long as the tier allows.',
        compression: 'Backups are always compressed.',
        schedule: 'Not supported; leave it out.',
      },
    },
  ),
  output: openObject(),
  untypedResult: true,
  services: {
    store: kernel.store,
    graphStore: kernel.graphStore,
    files: kernel.fileStore,
    ids: kernel.ids,
    clock: kernel.clock,
    schemas: graphSchemas,
    analytical: analyticalGraph,
    settings: kernelSettings,
    config: config.token,
  },
  errors: {
    ...backupErrors,
    BACKUPS_OFF: { kind: 'forbidden', meaning: 'The deployment takes no backups on request.' },
    BACKUP_LIMIT_REACHED: { kind: 'rate_limited', meaning: 'The tier allows no further backup of this graph today.' },
    BACKUP_FORMAT_UNKNOWN: { kind: 'refused', meaning: 'The format or a schedule is not supported.' },
  },
  examples: [{ input: { retention_days: 7 } }],

  async admit({ input, ctx, use }) {
    const { graph, tx } = ctx;
    if (!use.config.backupCreation) {
      const message = 'This deployment takes no backups on request. Ask its operator for one.';
      throw new ServiceError('forbidden', 'BACKUPS_OFF', message);
    }
    if ((input.backup_format ?? 'full_dump') !== 'full_dump')
      throw new ServiceError('refused', 'BACKUP_FORMAT_UNKNOWN', "backup_format must be 'full_dump'.");
    if ((input.backup_type ?? 'full') !== 'full') throw invalidInput("backup_type must be 'full'.");
    if (input.schedule != null)
      throw new ServiceError('refused', 'BACKUP_FORMAT_UNKNOWN', 'schedule is not supported: leave it out.');
    const wanted = input.retention_days ?? 30;
    if (wanted < 1 || wanted > maxRetentionDays) throw invalidInput(`retention_days is 1 to ${maxRetentionDays}.`);
    await requireBackupToday(tx, graph, ctx.now());
    const most = tierNumbers(graph.tier).backup.retention_days;
    const retentionDays = Math.min(wanted, most);
    const backupId = use.ids.make('bk');
    const extension = use.graphStore.capabilities.snapshotExtension;
    const facts = { id: backupId, graphId: graph.id, ofGraphId: graph.id, initiatedBy: 'user', extension } as const;
    await addBackup(tx, { ...facts, retentionDays, now: ctx.now() });
    const capped = wanted > most ? ` The ${graph.tier} tier keeps backups for at most ${most} days.` : '';
    return {
      status: 'accepted',
      graph_id: graph.id,
      backup_id: backupId,
      retention_days: retentionDays,
      message: `The backup is kept for ${retentionDays} days.${capped}`,
      monitoring: { sse_endpoint: operationLinks(use.settings, ctx.operationId).stream },
    };
  },

  async handle({ ctx, use }) {
    const backupId = ctx.accepted?.['backup_id'];
    const { graph } = ctx;
    if (graph === undefined || typeof backupId !== 'string') throw new Error('The run has lost its backup.');
    await ctx.report({ message: 'Copying the database', percent: 10 });
    const of = { ...graph };
    const taken = await takeBackup(use, { graphId: graph.id, backupId, of, signal: ctx.signal });
    return {
      status: 'completed',
      graph_id: graph.id,
      backup_id: backupId,
      compressed_size_bytes: taken.compressedBytes,
    };
  },
});
