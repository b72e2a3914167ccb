import { randomInt } from 'node:crypto';
import { ImportError, textField } from '@pacioli/import-beancount/client';
import { demoLimits } from './limits.ts';

/** Without vowels no word can come out that a password policy refuses. */
const letters = 'bcdfghjkmnpqrstvwxz';
const digits = '23456789';

/** A password of 22 signs with more than 80 bits of chance; within a group no sign stands twice. */
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

/** Registers the user, or signs in when an interrupted run has registered it already, and makes an API key. */
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

/** Signing in comes before there is an API key, so these few requests do not go through the ledger's client. */
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
