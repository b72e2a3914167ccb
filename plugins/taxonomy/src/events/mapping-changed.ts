import { defineEvent, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

/** Arcs of a mapping were added or removed, so that statements may change (taxonomy M-23). */
export default defineEvent(
  'taxonomy.mapping-changed',
  model('MappingChanged', {
    graph_id: Type.String(),
    changed_by: nullable(
      Type.String({ description: 'Null when a release of the library moved arcs of a retired concept.' }),
    ),
  }),
);
