import { defineOperation, model, nullable, type WriteContext } from '@pacioli/core';
import { Type } from 'typebox';
import { writeErrors } from '../documents/index.ts';
import { prepareWrite, search } from '../search.ts';
import { type PreparedWrite, type WriteOrder, writeResult } from '../writing/index.ts';

const optionalText = () => Type.Optional(nullable(Type.String()));

export default defineOperation({
  name: 'index-document',
  summary: 'Stores a text document and indexes its sections for search; replaces it when it is known.',
  openapi: { id: 'index_document', tag: 'content_operations' },
  role: 'member',
  mcp: {
    tool: 'create-document',
    hint: 'Stores a text that people and assistants can search, or replaces the one with the same external_id.',
    omits: ['document_id'],
    isOn: ({ search }) => search.isOn,
  },
  input: model(
    'IndexDocumentOp',
    {
      document_id: optionalText(),
      title: optionalText(),
      content: optionalText(),
      tags: Type.Optional(nullable(Type.Array(Type.String()))),
      folder: optionalText(),
      external_id: optionalText(),
    },
    {
      fields: {
        document_id: 'The document to change: its id, or the id of a passage of it. Without it, a document is created.',
        title: '1 to 500 characters; required to create.',
        content: 'Markdown of at most 500,000 characters, with YAML front matter if wanted; required to create.',
        tags: 'At most 50 of 100 characters; null removes them.',
        folder: 'At most 200 characters; null removes it.',
        external_id: 'A name of the caller, at most 256 characters: a known one replaces its document.',
      },
    },
  ),
  output: model('IndexDocumentResult', {
    id: Type.String(),
    document_id: Type.String(),
    sections_indexed: Type.Integer(),
    total_content_length: Type.Integer(),
    section_ids: Type.Array(Type.String()),
  }),
  untypedResult: true,
  services: { search },
  errors: {
    ...writeErrors,
    NOT_FOUND: 'The graph has no such document.',
    INVALID_INPUT: 'A field is missing or too long, or the document has no text.',
    DOCUMENT_LIMIT_REACHED: { kind: 'invalid_input', meaning: 'The tier allows no further document in this graph.' },
    DOCUMENT_CHANGED: {
      kind: 'conflict',
      meaning: 'Another request has created or deleted the document with this external id.',
    },
  },
  examples: [{ input: { title: 'Close policy', content: 'The books close on the fifth day of the next month.' } }],

  async prepare({ input, ctx, use }) {
    return prepareWrite(use.search, { ...orderOf(ctx), request: input });
  },

  async handle({ input, ctx, use, prepared }) {
    const write = prepared as PreparedWrite; // Made by `prepare`.
    const written = await use.search.writer.write(ctx.tx, { ...orderOf(ctx), request: input }, write);
    return writeResult(ctx.graph.id, write.documentId, written);
  },
});

function orderOf(ctx: Pick<WriteContext, 'graph' | 'caller' | 'signal' | 'now'>): Omit<WriteOrder, 'request'> {
  return { graph: ctx.graph, userId: ctx.caller.userId, now: ctx.now(), signal: ctx.signal };
}
