import { Type } from 'typebox';
import { requestFacts } from '../../audit/request-facts.ts';
import { defineRoute } from '../../define/route.ts';
import { model, nullable, openObject } from '../../schema/model.ts';
import { tooManyAttempts } from '../accounts/declared-errors.ts';
import { secondFactor } from '../passkeys/second-factor.ts';

const recoveryCodesRequest = model('RecoveryCodesRequest', {
  password: Type.Optional(nullable(Type.String())),
  assertion: Type.Optional(nullable(openObject())),
});

const recoveryCodesResponse = model('RecoveryCodesResponse', {
  codes: Type.Array(Type.String()),
});

export default defineRoute({
  name: 'regenerate-mfa-recovery-codes',
  path: 'POST /v1/auth/mfa/recovery-codes/regenerate',
  summary: 'Creates a new set of recovery codes and invalidates the earlier one.',
  openapi: { id: 'regenerate_mfa_recovery_codes', tag: 'auth' },
  category: 'auth',
  limit: { maxCalls: 60, seconds: 60, per: 'user' },
  // A leaked key must not be able to create codes for signing in (platform A-3, M-14).
  auth: ['bearer'],
  isOn: (settings) => settings.auth.passkeys,
  body: recoveryCodesRequest,
  answers: { 200: recoveryCodesResponse },
  fails: [400, 401, 422, 429, 500],
  services: { secondFactor },
  errors: {
    ...tooManyAttempts,
  },
  async handle({ body, ctx, use }) {
    return {
      codes: await use.secondFactor.regenerate(
        ctx.caller,
        body,
        requestFacts(ctx, 'POST /v1/auth/mfa/recovery-codes/regenerate'),
      ),
    };
  },
});
