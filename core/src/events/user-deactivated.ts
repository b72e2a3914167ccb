import { Type } from 'typebox';
import { defineEvent } from '../define/event.ts';
import { model } from '../schema/model.ts';

/** An account was deactivated: its sessions, keys and runs have ended, its rows remain (platform X-4). */
export default defineEvent(
  'kernel.user-deactivated',
  model('UserDeactivated', { user_id: Type.String(), reason: Type.String() }),
);
