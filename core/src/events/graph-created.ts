import { Type } from 'typebox';
import { defineEvent } from '../define/event.ts';
import { model } from '../schema/model.ts';

/** A graph is ready for use (platform X-4). */
export default defineEvent(
  'kernel.graph-created',
  model('GraphCreated', {
    graph_id: Type.String(),
    org_id: Type.String(),
    tier: Type.String(),
    created_by: Type.String(),
  }),
);
