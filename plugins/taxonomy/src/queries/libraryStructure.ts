import { defineQuery, model, nullable } from '@pacioli/core';
import { idType } from '../models/graphql-types.ts';
import { libraryStructure } from '../models/library-types.ts';
import { libraryReads } from '../tokens.ts';

export default defineQuery({
  name: 'libraryStructure',
  summary: 'One network; null when the id is unknown.',
  args: model('LibraryStructureArgs', { id: idType }),
  returns: nullable(libraryStructure),
  services: { libraryReads },
  async resolve({ args, ctx, use }) {
    return (await use.libraryReads.structure(ctx.tx, args.id)) ?? null;
  },
});
