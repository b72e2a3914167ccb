import { defineEvent, model } from '@pacioli/core';
import { Type } from 'typebox';

/** A subgraph was deleted; its id may be given to another one later (graphs SG-13, I-3). */
export default defineEvent(
  'graph.subgraph-deleted',
  model('SubgraphDeleted', {
    graph_id: Type.String(),
    parent_graph_id: Type.String(),
    /** The number of its database. */
    generation: Type.Integer(),
  }),
);
