import { Type } from 'typebox';
import { defineEvent } from '../define/event.ts';
import { model, oneOf } from '../schema/model.ts';

/** A user joined an existing organization (platform X-4). */
export default defineEvent(
  'kernel.org-member-added',
  model('OrgMemberAdded', {
    org_id: Type.String(),
    user_id: Type.String(),
    role: oneOf(['admin', 'member', 'owner']),
  }),
);
