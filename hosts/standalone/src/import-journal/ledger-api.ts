import { writeLimits } from './limits.ts';

/** What the service answered; `body` is parsed JSON, or null when there was none. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly retry_after_seconds: number | null;
}

/** The public HTTP interface, as far as an import needs it. `wait` stands here so that tests need no clock. */
export interface LedgerApi {
  get(path: string): Promise<ApiAnswer>;
  post(path: string, body: unknown, idempotencyKey?: string): Promise<ApiAnswer>;
  wait(milliseconds: number): Promise<void>;
}

/** The service refused a request that the import cannot do without. */
export class ImportError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ImportError';
  }
}

/** A client of a running service, with an API key. Answers above the byte limit and slow answers are errors. */
export function connectLedger(choices: {
  readonly url: string;
  readonly apiKey: string;
  readonly headers?: Readonly<Record<string, string>>;
}): LedgerApi {
  const root = choices.url.replace(/\/+$/, '');
  const send = async (method: string, path: string, body: unknown, key?: string): Promise<ApiAnswer> => {
    const headers: Record<string, string> = {
      ...choices.headers,
      'X-API-Key': choices.apiKey,
      Accept: 'application/json',
    };
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    if (key !== undefined) headers['Idempotency-Key'] = key;
    const signal = AbortSignal.timeout(writeLimits.request_timeout_milliseconds);
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
      retry_after_seconds: Number.isFinite(retryAfter) ? retryAfter : null,
    };
  };
  return {
    get: (path) => send('GET', path, undefined),
    post: (path, body, idempotencyKey) => send('POST', path, body, idempotencyKey),
    wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  };
}

async function readBounded(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    if (bytes > writeLimits.answer_bytes_max) {
      throw new ImportError(`The service answered with more than ${writeLimits.answer_bytes_max} bytes.`);
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
    // A proxy in between answers with its own page; its text says more than a syntax error would.
    if (error instanceof SyntaxError) return { detail: text.slice(0, 200) };
    throw error;
  }
}

/** A property of a JSON object, or undefined when the value is no object or has none of this name. */
export function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

export function textField(value: unknown, name: string): string | null {
  const found = field(value, name);
  return typeof found === 'string' ? found : null;
}

export function listField(value: unknown, name: string): readonly unknown[] {
  const found = field(value, name);
  return Array.isArray(found) ? found : [];
}

/** The sentence with which the service refused, whatever shape its error has. */
export function detailOf(answer: ApiAnswer): string {
  const detail = field(answer.body, 'detail');
  return typeof detail === 'string' ? detail : JSON.stringify(detail ?? answer.body ?? '').slice(0, 500);
}

export function isSuccess(answer: ApiAnswer): boolean {
  return answer.status >= 200 && answer.status < 300;
}

/** The body of a successful answer; throws with the service's own sentence otherwise. */
export function needSuccess(answer: ApiAnswer, what: string): unknown {
  if (isSuccess(answer)) return answer.body;
  throw new ImportError(`${what} was refused with ${answer.status}: ${detailOf(answer)}${hintFor(answer.status)}`);
}

function hintFor(status: number): string {
  if (status === 401) return ' Check the API key.';
  if (status === 403) return ' Use the API key of a user who may write to this graph.';
  if (status === 404) return ' Check the URL of the service and the id of the graph.';
  return '';
}
