import { Type } from 'typebox';
import { defineRoute } from '../../define/route.ts';
import { mapOf, model, nullable } from '../../schema/model.ts';
import { accounts } from '../accounts/accounts.ts';

const passwordCheckRequest = model('PasswordCheckRequest', {
  password: Type.String(),
  email: Type.Optional(nullable(Type.String())),
});

const passwordCheckResponse = model('PasswordCheckResponse', {
  is_valid: Type.Boolean(),
  strength: Type.String(),
  score: Type.Integer(),
  errors: Type.Array(Type.String()),
  suggestions: Type.Array(Type.String()),
  character_types: mapOf(Type.Boolean()),
});

export default defineRoute({
  name: 'check-password-strength',
  path: 'POST /v1/auth/password/check',
  summary: 'Rates a password and lists its weaknesses. Nothing is stored.',
  openapi: { id: 'check_password_strength', tag: 'auth' },
  category: 'auth',
  auth: [],
  body: passwordCheckRequest,
  answers: { 200: passwordCheckResponse },
  fails: [400, 422, 429, 500],
  services: { accounts },
  async handle({ body, use }) {
    return use.accounts.judge(body.password, body.email);
  },
});
