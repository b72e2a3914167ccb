import { Type } from 'typebox';
import { defineRoute } from '../../define/route.ts';
import passkeyInfo from '../../models/PasskeyInfo.ts';
import { model } from '../../schema/model.ts';
import { passkeys, toPasskeyInfo } from '../passkeys/passkeys.ts';

const passkeyListResponse = model('PasskeyListResponse', {
  passkeys: Type.Array(passkeyInfo),
});

export default defineRoute({
  name: 'list-user-passkeys',
  path: 'GET /v1/auth/passkeys',
  summary: 'Lists the passkeys of the caller.',
  openapi: { id: 'list_user_passkeys', tag: 'auth' },
  category: 'auth',
  limit: { maxCalls: 60, seconds: 60, per: 'user' },
  auth: ['api-key', 'bearer'],
  isOn: (settings) => settings.auth.passkeys,
  answers: { 200: passkeyListResponse },
  fails: [400, 429, 500],
  services: { passkeys },
  async handle({ ctx, use }) {
    return { passkeys: (await use.passkeys.list(ctx.caller.userId)).map(toPasskeyInfo) };
  },
});
