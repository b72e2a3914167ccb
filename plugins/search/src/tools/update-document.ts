import { defineTool, invalidInput, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { writeErrors } from '../documents/index.ts';
import { prepareWrite, search } from '../search.ts';
import { writeResult } from '../writing/index.ts';

const optionalText = () => Type.Optional(nullable(Type.String()));

export default defineTool({
  name: 'update-document',
  title: 'Update document',
  description:
    'Changes a document: only what is given. A new content replaces the whole text, so read the document before.',
  role: 'member',
  effect: 'write',
  idempotent: true,
  input: model(
    'UpdateDocumentArguments',
    {
      document_id: Type.String({ minLength: 1 }),
      title: optionalText(),
      content: optionalText(),
      folder: optionalText(),
      tags: Type.Optional(nullable(Type.Array(Type.String()))),
    },
    {
      closed: true,
      fields: {
        document_id: 'An id of list-documents, or the document_id of a hit.',
        title: '1 to 500 characters.',
        content: 'Markdown of at most 500,000 characters, with YAML front matter if wanted.',
        folder: 'At most 200 characters; null removes it.',
        tags: 'All tags, at most 50 of 100 characters; null removes them.',
      },
    },
  ),
  services: { search },
  errors: {
    ...writeErrors,
    NOT_FOUND: 'The graph has no such document.',
    INVALID_INPUT: 'No field is given, a field is too long, or the document has no text.',
  },
  isOn: ({ search }) => search.isOn,

  async handle({ input, ctx, use }) {
    const isUnchanged =
      input.title == null && input.content == null && input.folder === undefined && input.tags === undefined;
    if (isUnchanged) throw invalidInput('Give at least one of title, content, folder and tags.');
    const order = {
      graph: ctx.graph,
      userId: ctx.caller.userId,
      request: input,
      now: ctx.now(),
      signal: ctx.signal,
    };
    const prepared = await prepareWrite(use.search, order);
    const written = await ctx.transaction((tx) => use.search.writer.write(tx, order, prepared));
    return writeResult(ctx.graph.id, prepared.documentId, written);
  },
});
