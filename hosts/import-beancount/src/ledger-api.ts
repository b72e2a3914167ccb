import { pageSentence, reasonOf } from './error-message.ts';
import { writeLimits } from './limits.ts';

/** A response of the service; `body` is parsed JSON, or null when there was none. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly retryAfterSeconds: number | null;
}

/** The subset of the public HTTP API that an import needs. `wait` is part of it so that tests need no clock. */
export interface LedgerApi {
  /** Base URL, for messages and commands that name it. */
  readonly url: string;
  get(path: string): Promise<ApiAnswer>;
  post(path: string, body: unknown, idempotencyKey?: string): Promise<ApiAnswer>;
  wait(milliseconds: number): Promise<void>;
}

/** The service rejected a request that the import cannot continue without. */
export class ImportError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ImportError';
  }
}

/** Creates a client of a running service with an API key. Slow responses and those above the byte limit are errors. */
export function connectLedger(choices: {
  readonly url: string;
  readonly apiKey: string;
  readonly headers?: Readonly<Record<string, string>>;
}): LedgerApi {
  const root = baseUrl(choices.url);
  const send = async (method: string, path: string, body: unknown, key?: string): Promise<ApiAnswer> => {
    const headers: Record<string, string> = {
      ...choices.headers,
      'X-API-Key': choices.apiKey,
      Accept: 'application/json',
    };
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    if (key !== undefined) headers['Idempotency-Key'] = key;
    const signal = AbortSignal.timeout(writeLimits.requestTimeoutMs);
    const response = await fetch(`${root}${path}`, {
      method,
      headers,
      signal,
      redirect: 'error',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
    return {
      status: response.status,
      body: parseBody(await readBounded(response)),
      retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
    };
  };
  return {
    url: root,
    get: (path) => send('GET', path, undefined),
    post: (path, body, idempotencyKey) => send('POST', path, body, idempotencyKey),
    wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  };
}

/** Returns the URL without trailing slashes. Throws if it is not an HTTP URL. */
function baseUrl(url: string): string {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new ImportError(`"${url}" is not the URL of a service. Give one such as http://127.0.0.1:8000.`);
  return url.replace(/\/+$/, '');
}

async function readBounded(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    if (bytes > writeLimits.maxAnswerBytes) {
      throw new ImportError(`The service answered with more than ${writeLimits.maxAnswerBytes} bytes.`);
    }
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parseBody(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    // A proxy may respond with its own page, whose text is more useful than a JSON syntax error.
    if (error instanceof SyntaxError) return new PageAnswer(text);
    throw error;
  }
}

/** The body of a response that is not JSON and so does not come from the service. */
class PageAnswer {
  readonly detail: string;

  constructor(text: string) {
    this.detail = pageSentence(text);
  }
}

/** The error message of the service, whatever the shape of its error. */
export function detailOf(answer: ApiAnswer): string {
  return reasonOf(answer.body);
}

export function isSuccess(answer: ApiAnswer): boolean {
  return answer.status >= 200 && answer.status < 300;
}

/** Returns the body of a successful response; otherwise throws with the service's own message. */
export function requireSuccess(answer: ApiAnswer, what: string): unknown {
  if (!isSuccess(answer)) {
    throw new ImportError(`${what} was refused with ${answer.status}: ${detailOf(answer)}${hintFor(answer.status)}`);
  }
  if (answer.body instanceof PageAnswer) throw new ImportError(`${what} failed. ${detailOf(answer)} Check the URL.`);
  return answer.body;
}

function hintFor(status: number): string {
  if (status === 401) return ' Check the API key.';
  if (status === 403) return ' Use the API key of a user who may write to this graph.';
  if (status === 404) return ' Check the URL of the service and the id of the graph.';
  if (status === 429) return ' Run again after that time.';
  return status >= 500 ? ' See the log of the service, and run again when the error is fixed.' : '';
}
