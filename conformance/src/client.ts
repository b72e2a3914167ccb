import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type EventFrame, framesOf } from './event-stream.ts';

/** A response of a deployment. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, or the text if the body is not JSON; undefined if there is none. */
  readonly body: unknown;
  /** `METHOD path`, for messages. */
  readonly asked: string;
}

export interface RequestOptions {
  /** Sent as JSON; a text is sent verbatim. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Returns a 429 instead of waiting and retrying; for cases about limits. */
  readonly keepsRefusals?: boolean;
}

/** An event stream with status 200. */
export interface OpenStream {
  readonly headers: Headers;
  frames(): AsyncGenerator<EventFrame>;
}

/** A pause before a request is sent again, because a rate limit refused it. */
export interface Wait {
  /** `METHOD path`. */
  readonly asked: string;
  readonly seconds: number;
}

/** Called as requests are answered or must wait, of callers made from this one too. */
export interface ClientWatch {
  answered?(answer: Answer): void;
  waiting?(wait: Wait): void;
}

const maxRequestMs = 60_000;
const maxStreamMs = 120_000;
const maxWaits = 5;
const maxWaitSeconds = 60;

/** Calls a deployment as one caller. */
export class Client {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly #watch: ClientWatch;

  constructor(url: string, headers: Readonly<Record<string, string>> = {}, watch: ClientWatch = {}) {
    this.url = url.replace(/\/+$/, '');
    this.headers = headers;
    this.#watch = watch;
  }

  /** The same caller with additional or changed headers. */
  withHeaders(headers: Readonly<Record<string, string>>): Client {
    return new Client(this.url, { ...this.headers, ...headers }, this.#watch);
  }

  /** Sends one request. A rate-limited one is sent again: a 429 never has an effect (platform R-2). */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    for (let waits = 0; ; waits += 1) {
      const answer = await this.#send(method, path, options);
      if (answer.status !== 429 || options.keepsRefusals === true || waits === maxWaits) {
        this.#watch.answered?.(answer);
        return answer;
      }
      const seconds = Math.min(Number(answer.headers.get('retry-after') ?? 1) || 1, maxWaitSeconds);
      this.#watch.waiting?.({ asked: answer.asked, seconds });
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    }
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.request('GET', path, { headers });
  }

  post(path: string, body: unknown = {}, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.request('POST', path, { body, headers });
  }

  put(path: string, body: unknown = {}): Promise<Answer> {
    return this.request('PUT', path, { body });
  }

  delete(path: string): Promise<Answer> {
    return this.request('DELETE', path);
  }

  /** A GraphQL read of one graph. */
  graphql(graphId: string, query: string, variables: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
    return this.post(`/extensions/${graphId}/graphql`, { query, variables });
  }

  /** Announces a body of a given length without sending it, and returns the response. */
  announceBody(method: string, path: string, lengthBytes: number): Promise<Answer> {
    const target = new URL(`${this.url}${path}`);
    const send = target.protocol === 'https:' ? httpsRequest : httpRequest;
    const headers = { 'content-type': 'application/json', ...this.headers, 'content-length': String(lengthBytes) };
    return new Promise((resolve, reject) => {
      const request = send(target, { method, headers, timeout: maxRequestMs });
      request.once('timeout', () => request.destroy(new Error(`No answer to ${method} ${path}.`)));
      request.once('error', reject);
      request.once('response', (response) => {
        response.setEncoding('utf8');
        let text = '';
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.once('end', () => {
          request.destroy();
          const given = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const);
          const answered = new Headers(given.map(([name, value]) => [name, value]));
          resolve({
            status: response.statusCode ?? 0,
            headers: answered,
            body: parsed(answered, text),
            asked: `${method} ${path}`,
          });
        });
      });
      request.flushHeaders();
    });
  }

  /** Opens an event stream; returns any status other than 200 as an answer. */
  async openStream(path: string, headers: Readonly<Record<string, string>> = {}): Promise<OpenStream | Answer> {
    const response = await fetch(`${this.url}${path}`, {
      headers: { accept: 'text/event-stream', ...this.headers, ...headers },
      signal: AbortSignal.timeout(maxStreamMs),
    });
    const body = response.body;
    if (response.status !== 200 || body === null) return answerOf(response, `GET ${path}`);
    return { headers: response.headers, frames: () => framesOf(body.pipeThrough(new TextDecoderStream())) };
  }

  async #send(method: string, path: string, options: RequestOptions): Promise<Answer> {
    const { body } = options;
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        ...this.headers,
        ...options.headers,
      },
      redirect: 'manual',
      signal: AbortSignal.timeout(maxRequestMs),
      ...(text === undefined ? {} : { body: text }),
    });
    return answerOf(response, `${method} ${path}`);
  }
}

export function isStream(opened: OpenStream | Answer): opened is OpenStream {
  return 'frames' in opened;
}

async function answerOf(response: Response, asked: string): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parsed(response.headers, text), asked };
}

function parsed(headers: Headers, text: string): unknown {
  if (text === '') return undefined;
  if (headers.get('content-type')?.includes('json') !== true) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text; // A case that expects JSON fails on the text and shows it.
  }
}
