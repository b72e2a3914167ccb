import { defineOperation, fileErrors, fileTransfers, graphSchemas, kernel, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import {
  addFile,
  checkedUpload,
  fileRefusals,
  graphRefusals,
  keyOf,
  maxFileBytes,
  requireFiles,
  stagedTables,
} from '../files/index.ts';

const expiresInSeconds = 3_600;

export default defineOperation({
  name: 'create-file-upload',
  summary: 'Grants the upload of a file with rows of one table of a generic graph.',
  openapi: { id: 'create_file_upload', tag: 'content_operations' },
  role: 'member',
  input: model(
    'FileUploadRequest',
    {
      file_name: Type.String({ minLength: 1 }),
      content_type: Type.Optional(Type.String({ default: 'application/x-parquet' })),
      table_name: Type.Optional(nullable(Type.String())),
      file_size_bytes: Type.Optional(nullable(Type.Integer({ minimum: 0 }))),
    },
    {
      closed: true,
      fields: {
        file_name: 'The name of the file; it ends with .parquet, .csv or .json, as its content type says.',
        content_type: 'application/x-parquet, text/csv or application/json.',
        table_name: 'The node or relationship type of the rows.',
        file_size_bytes: 'The size of the file, so that one that is too long is refused before it is sent.',
      },
    },
  ),
  output: model('FileUploadResponse', {
    upload_url: Type.String(),
    expires_in: Type.Integer(),
    file_id: Type.String(),
    s3_key: Type.String(),
  }),
  mcp: { held: 'The upload itself needs a client that sends files.' },
  untypedResult: true,
  services: { ids: kernel.ids, schemas: graphSchemas, transfers: fileTransfers },
  errors: {
    ...fileErrors,
    ...fileRefusals,
    ...graphRefusals,
    FILE_TOO_LARGE: { kind: 'too_large', meaning: 'The file is longer than 100 MB.' },
  },

  async handle({ input, ctx, use }) {
    const { graph, tx } = ctx;
    requireFiles(graph);
    const tables = stagedTables(await use.schemas.of(tx, graph)).map(({ name }) => name);
    const { table, format, contentType } = checkedUpload(input, tables);
    const fileId = use.ids.make('gf');
    const key = keyOf({ userId: ctx.caller.userId, graphId: graph.id, table, fileId, format });
    const row = { file_id: fileId, user_id: ctx.caller.userId, table_name: table, file_name: input.file_name };
    await addFile(tx, { ...row, format, file_key: key }, ctx.now());
    const transfer = {
      graphId: graph.id,
      userId: ctx.caller.userId,
      key,
      contentType,
      maxBytes: maxFileBytes,
      expiresInSeconds,
    };
    const url = await use.transfers.uploadUrl(tx, { ...transfer, now: ctx.now(), serviceUrl: ctx.serviceUrl });
    return { upload_url: url, expires_in: expiresInSeconds, file_id: fileId, s3_key: key };
  },
});
