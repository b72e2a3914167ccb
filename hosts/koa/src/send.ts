import { Readable } from 'node:stream';
import type { HttpAnswer } from '@pacioli/core/assembly';
import type { Context } from 'koa';

/** Sends the kernel's answer as the HTTP response. */
export async function send(context: Context, answer: HttpAnswer, requestId: string): Promise<void> {
  context.set('X-Request-ID', requestId);
  if (answer.stream !== undefined) {
    await sendStream(context, answer.stream);
    return;
  }
  context.status = answer.status;
  const { 'Content-Type': contentType = 'application/json; charset=utf-8', ...headers } = answer.headers;
  context.set(headers);
  // A request for headers only gets no error body (platform E-5).
  const isWordless = answer.status >= 400 && (context.method === 'HEAD' || context.method === 'OPTIONS');
  if (answer.status === 204 || (answer.body === undefined && answer.json === undefined) || isWordless) {
    context.body = null;
    context.status = answer.status;
    return;
  }
  context.set('Content-Type', contentType);
  context.body = answer.json ?? bodyText(answer.body, contentType);
}

function bodyText(body: unknown, contentType: string): string {
  return typeof body === 'string' && contentType.startsWith('text/') ? body : JSON.stringify(body);
}

/** Applies backpressure: the next chunk is requested only after the last one was written. */
async function sendStream(context: Context, stream: NonNullable<HttpAnswer['stream']>): Promise<void> {
  const source = stream.chunks[Symbol.asyncIterator]();
  // Until the first chunk the response can still become an error, unless the stream declares that it cannot fail.
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
