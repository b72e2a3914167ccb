import { Type } from 'typebox';
import { requestFacts } from '../../audit/request-facts.ts';
import { defineRoute } from '../../define/route.ts';
import successResponse from '../../models/SuccessResponse.ts';
import { model } from '../../schema/model.ts';
import { tooManyAttempts } from '../accounts/declared-errors.ts';
import { profile } from '../accounts/profile.ts';

const updatePasswordRequest = model('UpdatePasswordRequest', {
  current_password: Type.String(),
  new_password: Type.String(),
  confirm_password: Type.String(),
});

export default defineRoute({
  name: 'update-user-password',
  path: 'PUT /v1/user/password',
  summary: 'Changes the password of the caller and ends every session.',
  openapi: { id: 'update_user_password', tag: 'user' },
  category: 'user_management',
  // A leaked key must not be able to set a password (platform A-3).
  auth: ['bearer'],
  body: updatePasswordRequest,
  answers: { 200: successResponse },
  fails: [400, 401, 403, 422, 429, 500],
  services: { profile },
  errors: { ...tooManyAttempts },
  async handle({ body, ctx, use }) {
    await use.profile.changePassword(ctx.caller, body, requestFacts(ctx, 'PUT /v1/user/password'));
    return { message: 'Password updated successfully. Please sign in again.', success: true };
  },
});
