import { Type } from 'typebox';
import { defineEvent } from '../define/event.ts';
import { model, nullable } from '../schema/model.ts';

/** An account was created, with its own organization or in the one that invited it (platform X-4). */
export default defineEvent(
  'kernel.user-registered',
  model('UserRegistered', { user_id: Type.String(), org_id: nullable(Type.String()) }),
);
