import { randomInt } from 'node:crypto';
import { ImportError, textField } from '@pacioli/import-beancount/client';
import { demoLimits } from './limits.ts';

/** Without vowels the password cannot contain a word that a password policy rejects. */
const letters = 'bcdfghjkmnpqrstvwxz';
const digits = '23456789';

/** Generates a password of 22 characters with more than 80 bits of entropy; no group repeats a character. */
export function newPassword(): string {
  return [draw(letters.toUpperCase(), 8), draw(letters, 8), draw(digits, 4)].join('-');
}

function draw(alphabet: string, count: number): string {
  const left = [...alphabet];
  return Array.from({ length: count }, () => left.splice(randomInt(left.length), 1).join('')).join('');
}

interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** Registers the user, or signs in if an interrupted run has already registered them, and creates an API key. */
export async function openAccount(url: string, name: string, credentials: Credentials): Promise<string> {
  const registered = await postJson(url, '/v1/auth/register', { name, ...credentials });
  const session = registered.status === 409 ? await postJson(url, '/v1/auth/login', { ...credentials }) : registered;
  const token = textField(session.body, 'token');
  if (token === null) {
    const reason = textField(session.body, 'detail') ?? `status ${session.status}`;
    throw new ImportError(
      `The demo user ${credentials.email} could not sign in: ${reason}. ` +
        'Start with an empty data folder, or set DEMO=off.',
    );
  }
  const made = await postJson(url, '/v1/user/api-keys', { name: 'Demo' }, token);
  const key = textField(made.body, 'key');
  if (key === null) throw new ImportError(`No API key was given to the demo user (status ${made.status}).`);
  return key;
}

interface JsonAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Signing in precedes the API key, so these few requests cannot use the ledger client. */
async function postJson(url: string, path: string, body: unknown, token?: string): Promise<JsonAnswer> {
  const response = await fetch(`${url.replace(/\/+$/, '')}${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(demoLimits.requestTimeoutMs),
  });
  if (Number(response.headers.get('content-length') ?? 0) > demoLimits.maxAnswerBytes) {
    throw new ImportError(`The service answered ${path} with more than ${demoLimits.maxAnswerBytes} bytes.`);
  }
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return { status: response.status, body: isJson ? await response.json() : null };
}
