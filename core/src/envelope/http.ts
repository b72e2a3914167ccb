import type { Caller } from '../define/context.ts';
import type { StreamAnswer } from '../define/route.ts';
import { ServiceError } from '../errors/service-error.ts';
import { validationFailure } from '../errors/to-wire.ts';

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
  /** Reads the body once, up to `body_bytes_max`; refuses a longer one with 413. */
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
export const body_bytes_max = 10 * 1024 * 1024;

/** How deep lists and objects of a body may be nested; nothing of ours comes near it. */
const nesting_max = 100;

/** The JSON body; an empty one is undefined. Malformed JSON is an issue at its offset (platform E-6). */
export async function readJson(request: HttpRequest): Promise<unknown> {
  const text = await request.readBody();
  if (text.trim() === '') return undefined;
  const type = request.header('content-type');
  if (type !== undefined && !/^application\/([a-z0-9.+-]+\+)?json\b/i.test(type)) {
    throw new ServiceError('unsupported_media_type', 'UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.');
  }
  if (nestingOf(text) > nesting_max) {
    throw validationFailure([{ loc: ['body'], msg: `Nested deeper than ${nesting_max} levels`, type: 'json_invalid' }]);
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    const offset = Number(/position (\d+)/.exec(String(error))?.[1] ?? text.length);
    throw validationFailure([{ loc: ['body', offset], msg: 'JSON decode error', type: 'json_invalid' }]);
  }
  // Only an escape can bring such a character in; everything else was decoded from UTF-8.
  const place = text.includes('\\u') ? unstorableText(body, ['body']) : undefined;
  if (place === undefined) return body;
  const msg = 'Has a character that cannot be stored: U+0000 or half of a surrogate pair';
  throw validationFailure([{ loc: place, msg, type: 'value_error' }]);
}

/** Where a value has a text that no store keeps, if it has one. Its nesting is bounded by `nesting_max`. */
function unstorableText(value: unknown, place: readonly (string | number)[]): readonly (string | number)[] | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : place;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, field] of Object.entries(value)) {
    if (!isStorable(name)) return place;
    const found = unstorableText(field, [...place, Array.isArray(value) ? Number(name) : name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text);
}

/** The deepest nesting of lists and objects in a JSON text, brackets inside strings left out; one pass, no recursion. */
function nestingOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (isInString && sign === '\\') at += 1;
    else if (sign === '"') isInString = !isInString;
    else if (isInString) continue;
    else if (sign === '[' || sign === '{') depth += 1;
    else if (sign === ']' || sign === '}') depth -= 1;
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}
