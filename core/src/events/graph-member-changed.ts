import { Type } from 'typebox';
import { defineEvent } from '../define/event.ts';
import { model, nullable, oneOf } from '../schema/model.ts';

/** A user's grant on a graph was added, changed or removed; the role is null after a removal (platform X-4). */
export default defineEvent(
  'kernel.graph-member-changed',
  model('GraphMemberChanged', {
    graph_id: Type.String(),
    user_id: Type.String(),
    role: nullable(oneOf(['admin', 'member', 'viewer'])),
  }),
);
