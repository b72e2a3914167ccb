import type { IncomingMessage } from 'node:http';
import { ServiceError } from '@pacioli/core';
import { maxBodyBytes } from '@pacioli/core/assembly';
import type { Context } from 'koa';

/** What body parsers leave on a request: the parsed value and, if they keep them, the bytes as sent. */
interface ReadBefore {
  readonly body?: unknown;
  readonly rawBody?: unknown;
}

/**
 * Reads the body of a request as text. A body that the embedding application has read before is taken from where its
 * parser left it: on the request of Koa, or on that of Node as in Express (platform E-28).
 */
export async function readBody(context: Context, isRaw: boolean): Promise<string> {
  if (Number(context.req.headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge();
  const { headers, readableDidRead, readableEnded } = context.req;
  if (!readableDidRead && !readableEnded) return readText(context.req);
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return '';
  const places = [context.request, context.req] as readonly ReadBefore[]; // Parsers extend these objects.
  const given = (key: keyof ReadBefore) => places.map((place) => place[key]).find((value) => value !== undefined);
  const text = textOf(given('rawBody')) ?? textOf(given('body'));
  if (text !== undefined) return limited(text);
  const body = given('body');
  if (isRaw || body === undefined) throw alreadyRead();
  return limited(textAgain(body));
}

/** Streams the bytes of a body that no one has read before. */
export function streamBody(context: Context): AsyncIterable<Uint8Array> {
  if (context.req.readableDidRead) throw alreadyRead();
  return context.req;
}

/** Reads a body up to its limit; a longer one is rejected without being read to its end (platform E-6). */
async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return decoded(Buffer.concat(chunks));
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return value instanceof Uint8Array ? decoded(value) : undefined;
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw invalidBody('The body is not valid UTF-8', cause);
  }
}

/** Writes a parsed body as JSON; refuses the numbers that its parser may have rounded. */
function textAgain(body: unknown): string {
  try {
    return JSON.stringify(body, (name, value: unknown) => {
      if (typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
      throw invalidBody(`${name}: A number beyond ±(2^53−1) was rounded before it arrived. Send it as text`);
    });
  } catch (error) {
    if (error instanceof RangeError) throw invalidBody('The body is nested too deeply', error);
    throw error;
  }
}

function limited(text: string): string {
  if (Buffer.byteLength(text) > maxBodyBytes) throw tooLarge();
  return text;
}

function invalidBody(msg: string, cause?: unknown): ServiceError {
  const issues = [{ loc: ['body'], msg, type: 'json_invalid' }];
  return new ServiceError('invalid_input', 'INVALID_INPUT', msg, { issues, cause });
}

function alreadyRead(): ServiceError {
  return new ServiceError(
    'internal',
    'INTERNAL_ERROR',
    'The body of this request was read before it reached Pacioli, and its bytes were not kept. Mount Pacioli in ' +
      'front of the body parser, or let the parser keep the bytes as request.rawBody.',
  );
}

function tooLarge(): ServiceError {
  return new ServiceError(
    'too_large',
    'PAYLOAD_TOO_LARGE',
    `The body is longer than ${maxBodyBytes} bytes. Send less at a time.`,
    { headers: { Connection: 'close' } },
  );
}
