import { Readable } from 'node:stream';
import type { HttpAnswer } from '@pacioli/core/assembly';
import type { Context } from 'koa';

/** Answers that may hold a token, key or signed URL are never stored by anybody (platform E-14). */
const neverStored = /^\/v1\/(auth|user)\b/;

/** Writes what the kernel answered. */
export async function send(context: Context, answer: HttpAnswer, requestId: string): Promise<void> {
  context.set('X-Request-ID', requestId);
  if (neverStored.test(context.path)) context.set('Cache-Control', 'no-store');
  if (answer.stream !== undefined) {
    await sendStream(context, answer.stream);
    return;
  }
  context.status = answer.status;
  const { 'Content-Type': contentType = 'application/json; charset=utf-8', ...headers } = answer.headers;
  context.set(headers);
  // Platform E-5: who asks for headers only, gets no words.
  const isWordless = answer.status >= 400 && (context.method === 'HEAD' || context.method === 'OPTIONS');
  if (answer.status === 204 || answer.body === undefined || isWordless) {
    context.body = null;
    context.status = answer.status;
    return;
  }
  context.set('Content-Type', contentType);
  context.body =
    typeof answer.body === 'string' && contentType.startsWith('text/') ? answer.body : JSON.stringify(answer.body);
}

/** A slow reader slows the source: the next chunk is asked for when the last one has been taken. */
async function sendStream(context: Context, stream: NonNullable<HttpAnswer['stream']>): Promise<void> {
  const source = stream.chunks[Symbol.asyncIterator]();
  // The first chunk decides whether the answer is a stream or an error, unless the stream says that it cannot fail.
  const first = stream.eager === true ? undefined : await source.next();
  context.status = stream.status;
  context.set({ ...stream.headers, 'Content-Type': stream.contentType });
  context.compress = false;
  const body = Readable.from(rest(source, first), { objectMode: false, highWaterMark: 64 * 1024 });
  context.res.once('close', () => body.destroy());
  context.body = body;
}

async function* rest(
  source: AsyncIterator<string | Uint8Array>,
  first: IteratorResult<string | Uint8Array> | undefined,
): AsyncGenerator<string | Uint8Array> {
  try {
    let turn = first ?? (await source.next());
    while (turn.done !== true) {
      yield turn.value;
      turn = await source.next();
    }
  } finally {
    await source.return?.();
  }
}
