import type { Caller } from '../define/context.ts';
import type { StreamAnswer } from '../define/route.ts';
import { ServiceError } from '../errors/service-error.ts';
import { Turns } from '../store/turns.ts';
import { type ParseOptions, parseBody } from './json-body.ts';

/** A request as the host's HTTP layer passes it to the kernel, independent of the HTTP framework. */
export interface HttpRequest {
  /** Method and path template of the endpoint, for logs and audit. */
  readonly endpoint: string;
  /** The path parameters, by their names in the route's path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly requestId: string;
  readonly ip: string;
  /** Scheme, host and port that the client used, such as `https://books.example.org`. */
  readonly origin: string;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  header(name: string): string | undefined;
  /**
   * Reads the body once; throws 413 beyond `maxBodyBytes`. If the host has parsed it before, the text is written anew
   * from the parsed value; `isRaw` throws instead unless the host has kept the bytes as sent (platform E-28).
   */
  readBody(options?: { readonly isRaw: boolean }): Promise<string>;
  /** The bytes of the body as they arrive; throws if the host has read them before (platform E-28). */
  streamBody(): AsyncIterable<Uint8Array>;
}

/** Collects the response headers and log fields of a call while it is processed (platform E-16, R-8). */
export class CallNotes {
  readonly headers: Record<string, string> = {};
  caller: Caller | undefined;
  graphId: string | undefined;
}

/** A request that the kernel is processing. */
export interface Call extends HttpRequest {
  readonly notes: CallNotes;
}

/** The response that the host sends. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, unless there is a stream. Undefined means no body. */
  readonly body?: unknown;
  /** The body as JSON that is already written, instead of `body`. */
  readonly json?: string;
  readonly stream?: StreamAnswer;
  /** Log fields for the host, such as the caller, but never a secret (platform E-16). */
  readonly facts?: Readonly<Record<string, string>>;
}

/** The maximum size of a request body, in bytes (platform E-6). */
export const maxBodyBytes = 10 * 1024 * 1024;

/** Reads the JSON body; an empty one is undefined (platform E-6, N-8). After a long one, others get their turn. */
export async function readJson(request: HttpRequest, options: ParseOptions = {}): Promise<unknown> {
  const text = await request.readBody();
  const turns = new Turns();
  if (text.trim() === '') return undefined;
  const type = request.header('content-type');
  if (type !== undefined && !/^application\/([a-z0-9.+-]+\+)?json\b/i.test(type)) {
    throw new ServiceError('unsupported_media_type', 'UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.');
  }
  const body = parseBody(text, options);
  if (turns.isOver) await turns.next();
  return body;
}

/** Reads the JSON body; an empty one counts as `{}`, while `null` stays null (platform N-8). */
export async function readJsonOrEmpty(request: HttpRequest): Promise<unknown> {
  const body = await readJson(request);
  return body === undefined ? {} : body;
}
