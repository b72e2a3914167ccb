import { Type } from 'typebox';
import { defineEvent } from '../../define/event.ts';
import { model, nullable } from '../../schema/model.ts';

/** A password reset was requested for an address, which may or may not have an account. */
export default defineEvent(
  'kernel.password-reset-asked',
  model('PasswordResetAsked', {
    email: Type.String(),
    ip: nullable(Type.String()),
    user_agent: nullable(Type.String()),
    request_id: nullable(Type.String()),
  }),
);
