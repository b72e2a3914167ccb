import { defineQuery, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { idType } from '../models/graphql-types.ts';
import { libraryElement, shownElementOf } from '../models/library-types.ts';
import { libraryReads } from '../tokens.ts';

const text = nullable(Type.String());

const libraryElementArc = model('LibraryElementArc', {
  id: Type.String(),
  direction: Type.String(),
  association_type: Type.String(),
  arcrole: text,
  taxonomy_id: text,
  taxonomy_standard: text,
  taxonomy_name: text,
  structure_id: text,
  structure_name: text,
  peer: libraryElement,
});

export default defineQuery({
  name: 'libraryElementArcs',
  summary: 'The arcs of mappings and bridges that touch an element, the graph’s own mappings included.',
  args: model('LibraryElementArcsArgs', { id: idType }),
  returns: Type.Array(libraryElementArc),
  services: { libraryReads },
  async resolve({ args, ctx, use }) {
    const arcs = await use.libraryReads.peerArcs(ctx.tx, args.id);
    const peers = await use.libraryReads.elements(ctx.tx, [...new Set(arcs.map(({ peer_id }) => peer_id))]);
    const shown = arcs.flatMap(({ peer_id, ...arc }) => {
      const peer = peers.get(peer_id);
      return peer === undefined ? [] : [{ ...arc, peer: shownElementOf(peer, { labels: false }) }];
    });
    const sortKey = (arc: (typeof shown)[number]) =>
      `${arc.direction}\n${arc.taxonomy_standard ?? ''}\n${arc.peer.qname}\n${arc.id}`;
    return shown.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  },
});
