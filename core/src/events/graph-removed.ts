import { Type } from 'typebox';
import { defineEvent } from '../define/event.ts';
import { model } from '../schema/model.ts';

/** The data of a deleted graph is gone (graphs G-54, platform X-4). */
export default defineEvent(
  'kernel.graph-removed',
  model('GraphRemoved', { graph_id: Type.String(), org_id: Type.String() }),
);
