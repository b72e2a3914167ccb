/** Thrown while a response is read that is longer than its limit. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
}

/** A fetch that follows no redirect, because that would hand the key to another host, and reads a limited response. */
export function boundedFetch(maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual' });
    if (response.body === null) return response;
    let bytes = 0;
    const limit = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        bytes += chunk.byteLength;
        if (bytes > maxBytes) controller.error(new AnswerTooLong(`sent more than ${maxBytes} bytes`));
        else controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(limit), { status, statusText, headers });
  };
}
