import type { Caller } from '../define/context.ts';
import type { StreamAnswer } from '../define/route.ts';
import { ServiceError } from '../errors/service-error.ts';
import { type ParseOptions, parseBody } from './json-body.ts';

/** A request as the host's HTTP layer gives it to the kernel. Nothing of the HTTP framework is in it. */
export interface HttpRequest {
  /** Method and path template of the endpoint, for logs and audit. */
  readonly endpoint: string;
  /** The path parameters, by the names in the route's path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly requestId: string;
  readonly ip: string;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  header(name: string): string | undefined;
  /** Reads the body once, up to `maxBodyBytes`; refuses a longer one with 413. */
  readBody(): Promise<string>;
}

/** What is learned about a call on its way, for its answer's headers and its log line (platform E-16, R-8). */
export class CallNotes {
  readonly headers: Record<string, string> = {};
  caller: Caller | undefined;
  graphId: string | undefined;
}

/** A request on its way through the kernel. */
export interface Call extends HttpRequest {
  readonly notes: CallNotes;
}

/** What the host sends back. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, unless there is a stream. Undefined means no body at all. */
  readonly body?: unknown;
  readonly stream?: StreamAnswer;
  /** For the log line of the host: who called, never a secret (platform E-16). */
  readonly facts?: Readonly<Record<string, string>>;
}

/** The longest body of a request, in bytes (platform E-6). */
export const maxBodyBytes = 10 * 1024 * 1024;

/** The JSON body; an empty one is undefined (platform E-6, N-8). */
export async function readJson(request: HttpRequest, options: ParseOptions = {}): Promise<unknown> {
  const text = await request.readBody();
  if (text.trim() === '') return undefined;
  const type = request.header('content-type');
  if (type !== undefined && !/^application\/([a-z0-9.+-]+\+)?json\b/i.test(type)) {
    throw new ServiceError('unsupported_media_type', 'UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.');
  }
  return parseBody(text, options);
}

/** The JSON body where an empty one counts as `{}`; `null` is a body and no object (platform N-8). */
export async function readJsonOrEmpty(request: HttpRequest): Promise<unknown> {
  const body = await readJson(request);
  return body === undefined ? {} : body;
}
