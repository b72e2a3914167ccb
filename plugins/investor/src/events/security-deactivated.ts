import { defineEvent, model } from '@pacioli/core';
import { Type } from 'typebox';

/** A security was deleted: it takes no new positions, and its positions stay. (I-27) */
export default defineEvent(
  'investor.security-deactivated',
  model('SecurityDeactivated', { graph_id: Type.String(), security_id: Type.String() }),
);
