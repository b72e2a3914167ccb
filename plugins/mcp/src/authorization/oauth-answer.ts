import { answer, anything, model } from '@pacioli/core';
import { Type } from 'typebox';
import { OAuthError } from './oauth-error.ts';

/** Responses with tokens, secrets or the reasons of a refusal must not be cached (O-30). */
export const neverStored = { 'Cache-Control': 'no-store', Pragma: 'no-cache' } as const;

const oauthErrorModel = model('OAuthErrorResponse', { error: Type.String(), error_description: Type.String() });

/** The refusals of the endpoints that clients call (RFC 6749, 5.2). */
export const oauthRefusals = { 400: oauthErrorModel, 401: oauthErrorModel, 429: oauthErrorModel } as const;

/** A response without a body, such as a redirect. */
export const noBody = anything();

/** Runs the work of an endpoint that clients call, and answers a refusal in the format of OAuth. */
export async function oauthAnswer(work: () => Promise<ReturnType<typeof answer>>): Promise<ReturnType<typeof answer>> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const body = { error: error.code, error_description: error.message };
    if (error.code === 'too_many_requests') return answer(429, body, neverStored);
    if (error.code !== 'invalid_client') return answer(400, body, neverStored);
    return answer(401, body, { ...neverStored, 'WWW-Authenticate': 'Basic realm="oauth"' });
  }
}
