import { defineQuery, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { idType } from '../models/graphql-types.ts';
import { libraryElement, libraryElementOf } from '../models/library-types.ts';
import { library } from '../tokens.ts';

export default defineQuery({
  name: 'libraryElement',
  summary: 'One shipped element by id, or by qname in any spelling of the prefix; null when there is none.',
  args: model('LibraryElementArgs', {
    id: Type.Optional(nullable(idType)),
    qname: Type.Optional(nullable(Type.String())),
  }),
  returns: nullable(libraryElement),
  needs: { library },
  async resolve({ args, use }) {
    const row = args.id != null ? use.library.elementById(args.id) : use.library.elementByQname(args.qname ?? '');
    return row === undefined ? null : libraryElementOf(row, { labels: true });
  },
});
