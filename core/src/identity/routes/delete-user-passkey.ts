import { Type } from 'typebox';
import { requestFacts } from '../../audit/request-facts.ts';
import { defineRoute } from '../../define/route.ts';
import successResponse from '../../models/SuccessResponse.ts';
import { model, nullable, openObject } from '../../schema/model.ts';
import { tooManyAttempts } from '../accounts/declared-errors.ts';
import { passkeys } from '../passkeys/passkeys.ts';

const passkeyDeleteRequest = model('PasskeyDeleteRequest', {
  password: Type.Optional(nullable(Type.String())),
  assertion: Type.Optional(nullable(openObject())),
});

export default defineRoute({
  name: 'delete-user-passkey',
  path: 'DELETE /v1/auth/passkeys/{passkey_id}',
  summary: 'Removes a passkey of the caller, after a fresh proof in the body.',
  openapi: { id: 'delete_user_passkey', tag: 'auth' },
  category: 'auth',
  limit: { maxCalls: 60, seconds: 60, per: 'user' },
  // A leaked key must not be able to remove the second factor (platform A-3).
  auth: ['bearer'],
  isOn: (settings) => settings.auth.passkeys,
  body: passkeyDeleteRequest,
  answers: { 200: successResponse },
  fails: [400, 401, 409, 422, 429, 500],
  services: { passkeys },
  errors: {
    CONFLICT: { kind: 'conflict', meaning: 'It is the last passkey of a user who is required to have one.' },
    ...tooManyAttempts,
  },
  async handle({ params, body, ctx, use }) {
    await use.passkeys.remove(
      ctx.caller,
      params.passkey_id,
      body,
      requestFacts(ctx, 'DELETE /v1/auth/passkeys/{passkey_id}'),
    );
    return { message: 'Passkey removed successfully', success: true, data: null };
  },
});
