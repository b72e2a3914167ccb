import type { ClientCredentials } from './clients.ts';
import { OAuthError } from './oauth-error.ts';

const maxFieldCharacters = 4_096;
const maxFields = 50;

/** The fields of a form; an empty field counts as absent (RFC 6749, 3.2). */
export type Form = ReadonlyMap<string, string>;

/** Parses a form. Throws `invalid_request` for another type, a repeated field or a long one (O-30). */
export function parseForm(contentType: string | undefined, body: string): Form {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType ?? '')) {
    throw new OAuthError('invalid_request', 'Send the body as application/x-www-form-urlencoded.');
  }
  if (body.length > maxFields * maxFieldCharacters) throw tooLong();
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(body)) {
    if (value.length > maxFieldCharacters || name.length > maxFieldCharacters) throw tooLong();
    if (fields.has(name)) throw new OAuthError('invalid_request', 'A field must not be repeated.');
    if (fields.size >= maxFields) throw new OAuthError('invalid_request', `A form has at most ${maxFields} fields.`);
    fields.set(name, value);
  }
  return new Map([...fields].filter(([, value]) => value !== ''));
}

/** Returns the credentials of a client; those of the header win over those of the form (O-30). */
export function credentialsOf(authorization: string | undefined, form: Form): ClientCredentials {
  const basic = /^basic\s+(.*)$/i.exec(authorization?.trim() ?? '')?.[1];
  if (basic === undefined) return { id: form.get('client_id'), secret: form.get('client_secret') };
  const text = Buffer.from(basic, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) throw new OAuthError('invalid_client', 'The Basic credentials are malformed.');
  return { id: formDecoded(text.slice(0, colon)), secret: formDecoded(text.slice(colon + 1)) };
}

/** Id and secret are form-encoded within Basic credentials (RFC 6749, 2.3.1). */
function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new OAuthError('invalid_client', 'The Basic credentials are malformed.');
  }
}

function tooLong(): OAuthError {
  return new OAuthError('invalid_request', `A field has at most ${maxFieldCharacters} characters.`);
}
