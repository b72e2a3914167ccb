import { Type } from 'typebox';
import { defineEvent } from '../define/event.ts';
import { model, nullable, oneOf } from '../schema/model.ts';

/** A pool has fallen to 20%, 5% or 0% of its monthly credits (platform C-15). */
export default defineEvent(
  'kernel.credits-threshold',
  model('CreditsThreshold', {
    graph_id: Type.String(),
    /** Null for the pool of a graph. */
    subscriber_id: nullable(Type.String()),
    level: oneOf(['low', 'critical', 'exhausted']),
    balance: Type.Number(),
    allocation: Type.Number(),
  }),
);
