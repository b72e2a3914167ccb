import { Type } from 'typebox';
import { defineEvent } from '../define/event.ts';
import { model, nullable } from '../schema/model.ts';

/** Somebody asked for a link to reset the password of an address, which may or may not have an account. */
export default defineEvent(
  'kernel.password-reset-asked',
  model('PasswordResetAsked', {
    email: Type.String(),
    ip: nullable(Type.String()),
    user_agent: nullable(Type.String()),
    request_id: nullable(Type.String()),
  }),
);
