import { defineQuery, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { idType } from '../models/graphql-types.ts';
import { libraryElement, shownElementOf } from '../models/library-types.ts';
import { library, libraryReads } from '../tokens.ts';

export default defineQuery({
  name: 'libraryElement',
  summary: 'One element by id, or by qname in any spelling of a shipped prefix; null when there is none.',
  args: model('LibraryElementArgs', {
    id: Type.Optional(nullable(idType)),
    qname: Type.Optional(nullable(Type.String())),
  }),
  returns: nullable(libraryElement),
  services: { library, libraryReads },
  async resolve({ args, ctx, use }) {
    if (args.id == null && args.qname == null) return null;
    const spelled = args.qname ?? '';
    const own = await use.libraryReads.element(ctx.tx, args.id != null ? { id: args.id } : { qname: spelled });
    const shipped = own === undefined && args.id == null ? use.library.elementByQname(spelled) : undefined;
    const row = shipped === undefined ? own : await use.libraryReads.element(ctx.tx, { id: shipped.id });
    return row === undefined ? null : shownElementOf(row, { labels: true });
  },
});
