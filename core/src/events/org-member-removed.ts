import { Type } from 'typebox';
import { defineEvent } from '../define/event.ts';
import { model } from '../schema/model.ts';

/** A user left an organization and lost every grant in it (platform X-4, U-7). */
export default defineEvent(
  'kernel.org-member-removed',
  model('OrgMemberRemoved', { org_id: Type.String(), user_id: Type.String(), removed_by: Type.String() }),
);
