import { Type } from 'typebox';
import { requestFacts } from '../../audit/request-facts.ts';
import { defineRoute } from '../../define/route.ts';
import userResponse from '../../models/UserResponse.ts';
import { model, nullable, openObject } from '../../schema/model.ts';
import { emailIsTaken } from '../accounts/declared-errors.ts';
import { profile } from '../accounts/profile.ts';

const updateUserRequest = model('UpdateUserRequest', {
  name: Type.Optional(nullable(Type.String())),
  email: Type.Optional(nullable(Type.String())),
  reauth_password: Type.Optional(nullable(Type.String())),
  reauth_assertion: Type.Optional(nullable(openObject())),
});

export default defineRoute({
  name: 'update-user',
  path: 'PUT /v1/user',
  summary: 'Changes the name or email of the caller. A new email requires a fresh proof and ends every session.',
  openapi: { id: 'update_user', tag: 'user' },
  category: 'user_management',
  auth: ['api-key', 'bearer'],
  body: updateUserRequest,
  answers: { 200: userResponse },
  fails: [400, 401, 403, 409, 422, 429, 500],
  services: { profile },
  errors: { ...emailIsTaken },
  async handle({ body, ctx, use }) {
    return use.profile.update(ctx.caller, body, requestFacts(ctx, 'PUT /v1/user'));
  },
});
