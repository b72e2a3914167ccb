import { defineEvent, model } from '@pacioli/core';
import { Type } from 'typebox';

/** A security was created. (I-27) */
export default defineEvent(
  'investor.security-created',
  model('SecurityCreated', { graph_id: Type.String(), security_id: Type.String() }),
);
