import { defineEvent, model } from '@pacioli/core';
import { Type } from 'typebox';

/** A security was changed. (I-27) */
export default defineEvent(
  'investor.security-updated',
  model('SecurityUpdated', { graph_id: Type.String(), security_id: Type.String() }),
);
