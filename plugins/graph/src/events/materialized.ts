import { defineEvent, model } from '@pacioli/core';
import { Type } from 'typebox';

/** A materialization made a new version of the analytical graph the one that is read (graphs M-20a). */
export default defineEvent(
  'graph.materialized',
  model('GraphMaterialized', {
    graph_id: Type.String(),
    operation_id: Type.String(),
    rows: Type.Integer(),
  }),
);
