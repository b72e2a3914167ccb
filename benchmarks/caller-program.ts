/** The callers' program: posts one body repeatedly, each time with a new id, and reports the rate. */
import { randomUUID } from 'node:crypto';
import { poster } from './bench-service.ts';
import { rateOf } from './measure.ts';

/** The calls to make. `{id}` in the body is replaced by a new id in each call. */
export interface Calls {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly callers: number;
  readonly seconds: number;
}

/** The outcome: calls per second, or the first error status. */
export type CallsMade = { readonly rate: number } | { readonly refused: number };

process.on('message', async ({ url, headers, body, callers, seconds }: Calls) => {
  const post = poster(headers);
  let refused: number | undefined;
  const rate = await rateOf(callers, seconds, async () => {
    const status = await post(url, body.replace('{id}', randomUUID()), { 'idempotency-key': randomUUID() });
    if (status >= 300) refused = status;
  });
  const made: CallsMade = refused === undefined ? { rate } : { refused };
  process.send?.(made);
});
