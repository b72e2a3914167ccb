import { answer, defineRoute, openObject } from '@pacioli/core';
import {
  authorizationServer,
  neverStored,
  OAuthError,
  oauthAnswer,
  oauthRefusals,
  supportedScopes,
} from '../authorization/index.ts';

const maxBodyCharacters = 64 * 1024;

export default defineRoute({
  name: 'register-app',
  path: 'POST /v1/oauth/register',
  summary: 'Registers an AI client (RFC 7591).',
  openapi: { id: 'register_app', tag: 'oauth' },
  hidden: true,
  category: null,
  limit: { maxCalls: 10, seconds: 3_600, per: 'ip' },
  auth: [],
  rawBody: true,
  answers: { 201: openObject(), ...oauthRefusals },
  fails: [400, 404, 413, 429, 500],
  services: { server: authorizationServer },
  async handle({ ctx, use: { server } }) {
    server.requireOn(ctx);
    return oauthAnswer(async () => {
      const { client, secret } = await server.clients.register(jsonOf(ctx.header('content-type'), ctx.rawBody), ctx.ip);
      const body = {
        client_id: client.id,
        client_id_issued_at: Math.floor(client.createdAt.getTime() / 1000),
        client_name: client.name,
        redirect_uris: client.redirectUris,
        token_endpoint_auth_method: client.authMethod,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        scope: supportedScopes.join(' '),
        ...(client.uri === null ? {} : { client_uri: client.uri }),
        ...(client.logoUri === null ? {} : { logo_uri: client.logoUri }),
        ...(client.applicationType === null ? {} : { application_type: client.applicationType }),
        ...(secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
      };
      return answer(201, body, neverStored);
    });
  },
});

function jsonOf(contentType: string | undefined, body: string): unknown {
  if (!/^application\/json\s*(;|$)/i.test(contentType ?? '')) {
    throw new OAuthError('invalid_client_metadata', 'Send the metadata as application/json.');
  }
  if (body.length > maxBodyCharacters)
    throw new OAuthError('invalid_client_metadata', `The metadata has at most ${maxBodyCharacters} characters.`);
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new OAuthError('invalid_client_metadata', 'The metadata is not valid JSON.', { cause });
  }
}
