/** The program of the callers: posts one body again and again, each time under a new id, and says how often it got through. */
import { randomUUID } from 'node:crypto';
import { poster } from './bench-service.ts';
import { rateOf } from './measure.ts';

/** What to call. `{id}` in the body is another id in each call. */
export interface Calls {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly callers: number;
  readonly seconds: number;
}

/** What came of it: calls a second, or the first status that was no success. */
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
