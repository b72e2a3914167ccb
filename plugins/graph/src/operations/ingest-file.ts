import {
  defineOperation,
  fileErrors,
  finishedAtOnce,
  graphSchemas,
  kernel,
  kernelSettings,
  model,
  openObject,
  operationLinks,
  subgraphs,
  tierNumbers,
} from '@pacioli/core';
import { Type } from 'typebox';
import {
  danglingWarnings,
  graphRefusals,
  requireFiles,
  stageFile,
  stagingErrors,
  uploadedFile,
} from '../files/index.ts';
import { buildErrors } from '../generations/index.ts';
import { buildOrNoteFailure } from '../health/index.ts';
import { graphBuilder } from '../tokens.ts';
import { growthErrors, growthOf, measureGraphStorage, requireGrowth, requireStorage } from '../usage/index.ts';

/** Longer files are staged by a worker (graphs F-5). */
const maxInlineBytes = 50 * 1024 * 1024;

interface Prepared {
  /** The result, if the file is staged already. */
  readonly result: Readonly<Record<string, unknown>> | undefined;
  readonly bytes: number;
}

export default defineOperation({
  name: 'ingest-file',
  summary: 'Stages an uploaded file: its rows are cast, checked and ready for SQL and for the next materialization.',
  openapi: { id: 'ingest_file', tag: 'content_operations' },
  role: 'member',
  mcp: { held: 'Files of a graph are managed by people and loaders.' },
  runs: 'worker',
  acceptedStatus: 200,
  maxSeconds: 900,
  restartable: true,
  dedupe: false,
  input: model(
    'IngestFileOp',
    { file_id: Type.String(), ingest_to_graph: Type.Optional(Type.Boolean({ default: false })) },
    {
      fields: {
        file_id: 'The id that create-file-upload returned.',
        ingest_to_graph: 'True to materialize the graph afterwards, with all that is staged.',
      },
    },
  ),
  output: openObject(),
  untypedResult: true,
  services: {
    store: kernel.store,
    files: kernel.fileStore,
    graphStore: kernel.graphStore,
    subgraphs,
    staging: kernel.stagingStore,
    schemas: graphSchemas,
    graphs: kernel.graphs,
    clock: kernel.clock,
    settings: kernelSettings,
    graphBuilder,
  },
  errors: {
    ...fileErrors,
    ...stagingErrors,
    STORAGE_LIMIT_REACHED: growthErrors.STORAGE_LIMIT_REACHED,
    LIMIT_EXCEEDED: growthErrors.LIMIT_EXCEEDED,
    ...graphRefusals,
    ...buildErrors,
    ROWS_REJECTED: {
      kind: 'invalid_input',
      meaning: `${stagingErrors.ROWS_REJECTED.meaning} With ingest_to_graph also: ${buildErrors.ROWS_REJECTED.meaning}`,
    },
  },

  async prepare({ input, ctx, use }): Promise<Prepared> {
    requireFiles(ctx.graph);
    const uploaded = await uploadedFile(use, ctx.graph.id, input.file_id);
    const { bytes, file } = uploaded;
    requireStorage(await measureGraphStorage(use, ctx.graph.id), bytes, tierNumbers(ctx.graph.tier));
    if (bytes >= maxInlineBytes || input.ingest_to_graph === true) return { result: undefined, bytes };
    const report = await stageFile(use, ctx.graph, uploaded, ctx.signal);
    return { bytes, result: resultOf({ fileId: file.file_id, bytes, report }) };
  },

  async admit({ input, ctx, use, prepared }) {
    const { result, bytes } = prepared as Prepared; // Made by `prepare`.
    if (result !== undefined) return finishedAtOnce(result);
    return {
      status: 'queued',
      file_id: input.file_id,
      upload_status: 'uploaded',
      file_size_bytes: bytes,
      row_count: null,
      duckdb_status: 'pending',
      staged: false,
      message: 'The file is staged by a worker.',
      ingest_to_graph: input.ingest_to_graph === true,
      operation_id: ctx.operationId,
      monitor_url: operationLinks(use.settings, ctx.operationId).stream,
    };
  },

  async handle({ input, ctx, use }) {
    const { graph } = ctx;
    if (graph === undefined) throw new Error('ingest-file requires a graph, but its run has none.');
    await ctx.report({ message: 'Staging the file', percent: 10 });
    const uploaded = await uploadedFile(use, graph.id, input.file_id);
    const report = await stageFile(use, graph, uploaded, ctx.signal);
    const result = resultOf({ fileId: input.file_id, bytes: uploaded.bytes, report });
    if (input.ingest_to_graph !== true) return result;
    // The file stays staged; only the build is refused, with the limits of materialize.
    requireGrowth((await growthOf(use, graph, 'staged')).check);
    const built = await buildOrNoteFailure(use, {
      graph,
      run: ctx.operationId,
      source: 'staged',
      isForced: true,
      signal: ctx.signal,
      now: ctx.now,
      transaction: ctx.transaction,
      report: ctx.report,
    });
    return { ...result, ingest_to_graph: true, message: built.message };
  },
});

function resultOf({
  fileId,
  bytes,
  report,
}: {
  readonly fileId: string;
  readonly bytes: number;
  readonly report: Awaited<ReturnType<typeof stageFile>>;
}): Record<string, unknown> {
  const ignored = report.extraColumns.map((name) => `Column '${name}' is not declared, so only SQL sees it`);
  const warnings = [...danglingWarnings(report.dangling), ...ignored];
  return {
    status: 'completed',
    file_id: fileId,
    upload_status: 'uploaded',
    file_size_bytes: bytes,
    row_count: report.rows,
    duckdb_status: 'staged',
    staged: true,
    message: `Staged ${report.rows} ${report.rows === 1 ? 'row' : 'rows'}; the table has ${report.tableRows}.`,
    ingest_to_graph: false,
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}
