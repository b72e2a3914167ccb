import {
  defineOperation,
  eventPublisher,
  fileTransfers,
  finishedAtOnce,
  graphSchemas,
  kernel,
  model,
  notFound,
} from '@pacioli/core';
import { isStagingError } from '@pacioli/core/ports';
import { Type } from 'typebox';
import fileDeleted from '../events/file-deleted.ts';
import {
  findFile,
  removeFile,
  type StoredFile,
  stagedTables,
  stagingErrors,
  stagingFailure,
  withSettled,
} from '../files/index.ts';

interface Prepared {
  readonly file: StoredFile;
  readonly removedRows: number;
}

export default defineOperation({
  name: 'delete-file',
  summary: 'Deletes a file and its staged rows; the graph keeps them until it is materialized again.',
  openapi: { id: 'delete_file', tag: 'content_operations' },
  role: 'member',
  mcp: { held: 'Files of a graph are managed by people and loaders.' },
  runs: 'worker',
  acceptedStatus: 200,
  maxSeconds: 300,
  restartable: true,
  dedupe: false,
  input: model(
    'DeleteFileOp',
    { file_id: Type.String(), cascade: Type.Optional(Type.Boolean({ default: false })) },
    {
      fields: {
        file_id: 'The id of the file.',
        cascade: 'True to mark the graph as stale, so that the rows leave it with the next materialization.',
      },
    },
  ),
  output: model('DeleteFileResult', {
    status: Type.String(),
    file_id: Type.String(),
    file_name: Type.String(),
    cascade: Type.Boolean(),
    tables_affected: Type.Array(Type.String()),
    rows_removed: Type.Integer(),
    graph_marked_stale: Type.Boolean(),
    message: Type.String(),
  }),
  untypedResult: true,
  services: {
    store: kernel.store,
    staging: kernel.stagingStore,
    schemas: graphSchemas,
    graphs: kernel.graphs,
    events: eventPublisher,
    transfers: fileTransfers,
  },
  errors: { STAGING_UNAVAILABLE: stagingErrors.STAGING_UNAVAILABLE },

  // The staged rows go first: a row without its file would come back with the next upload of the table (graphs F-12).
  async prepare({ input, ctx, use }): Promise<Prepared> {
    const { graph } = ctx;
    const { file, schema } = await use.store.transaction(
      { graphId: graph.id },
      async (tx) => ({ file: await findFile(tx, input.file_id), schema: await use.schemas.of(tx, graph) }),
      { readOnly: true },
    );
    if (file === undefined) throw notFound('The graph has no such file.');
    const tables = stagedTables(schema);
    const table = tables.find(({ name }) => name === file.table_name);
    if (table === undefined) return { file, removedRows: 0 };
    try {
      const { removedRows } = await withSettled(use, graph.id, tables, () =>
        use.staging.unstage(graph.id, table, file.file_id),
      );
      return { file, removedRows };
    } catch (error) {
      throw isStagingError(error) ? stagingFailure(error) : error;
    }
  },

  async admit({ input, ctx, use, prepared }) {
    const { file, removedRows } = prepared as Prepared; // Made by `prepare`.
    const { graph, tx } = ctx;
    if (!(await removeFile(tx, file.file_id))) throw notFound('The graph has no such file.');
    // An earlier attempt may have ended after it removed the rows.
    const hadRows = removedRows > 0 || (file.row_count ?? 0) > 0;
    const tables = hadRows ? [file.table_name] : [];
    const isStale = input.cascade === true && hadRows;
    if (isStale) {
      await use.graphs.markStale(tx, graph.id, `file_deleted: ${file.file_name} from tables ${tables.join(', ')}`);
    }
    await use.transfers.revokeUploads(tx, file.file_key);
    const payload = { graph_id: graph.id, file_id: file.file_id, file_key: file.file_key };
    await use.events.publish(tx, fileDeleted, payload, graph.id);
    return finishedAtOnce({
      status: 'deleted',
      file_id: file.file_id,
      file_name: file.file_name,
      cascade: input.cascade === true,
      tables_affected: tables,
      rows_removed: removedRows,
      graph_marked_stale: isStale,
      message: isStale ? 'Materialize the graph to remove the rows from it.' : 'The file was deleted.',
    });
  },

  async handle(): Promise<never> {
    throw new Error('delete-file ends when it is accepted.');
  },
});
