import { defineTool, model, ServiceError } from '@pacioli/core';
import { Type } from 'typebox';
import { documentPart, documentsOfPath, maxPathCharacters, partCharacters, trustOf } from '../documents/index.ts';
import { search } from '../search.ts';
import { noDocument } from '../writing/index.ts';

export default defineTool({
  name: 'read-document-file',
  title: 'Read a document by its path',
  description:
    'The text of a document as a file: the path is its folder and title, such as policies/Close policy, or its ' +
    `external id. Gives ${partCharacters} characters; call it again with next_offset for the rest.`,
  role: 'viewer',
  effect: 'read',
  gate: { graphs: ['tenant', 'subgraph'] },
  input: model(
    'ReadDocumentFileArguments',
    {
      path: Type.String({ minLength: 1, maxLength: maxPathCharacters }),
      offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 500_000, default: 0 })),
    },
    {
      closed: true,
      fields: {
        path: 'Folder and title as list-documents gives them, joined by a slash; or an external id.',
        offset: 'The first character to read.',
      },
    },
  ),
  services: { search },
  errors: {
    NOT_FOUND: 'The graph has no document of this path.',
    AMBIGUOUS_PATH: { kind: 'conflict', meaning: 'Several documents have this path; read one by its id.' },
  },
  isOn: ({ search }) => search.isOn,

  async handle({ input, ctx }) {
    const { path, offset = 0 } = input;
    const part = await ctx.transaction(async (tx) => {
      const [found, ...others] = await documentsOfPath(tx, path);
      if (found === undefined) throw noDocument();
      if (others.length > 0) throw ambiguous([found, ...others]);
      return documentPart(tx, found, offset);
    });
    if (part === undefined) throw noDocument(); // Deleted in between.
    const end = offset + partCharacters;
    return {
      id: part.document_id,
      path: part.path,
      source_type: part.source_type,
      updated_at: part.updated_at.toISOString(),
      content: part.content,
      total_characters: part.characters,
      next_offset: end < part.characters ? end : null,
      ...trustOf(part.source_type),
    };
  },
});

function ambiguous(ids: readonly string[]): ServiceError {
  const message = `Several documents have this path. Read one with get-document: ${ids.join(', ')}.`;
  return new ServiceError('conflict', 'AMBIGUOUS_PATH', message, { details: { document_ids: ids } });
}
