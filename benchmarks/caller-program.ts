/** The callers' program: posts bodies over HTTP and reports the rate. */
import { randomUUID } from 'node:crypto';
import { answering, poster } from './bench-service.ts';
import { rateOf } from './measure.ts';

interface Calling {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly callers: number;
}

/** The same call for some time. `{id}` in the body is replaced by a new id in each call. */
export interface Calls extends Calling {
  readonly body: string;
  readonly seconds: number;
}

/** Bodies that are posted once. Those of a chain follow one another: `{previous}` is the id of the result before. */
export interface Chains extends Calling {
  readonly chains: readonly (readonly string[])[];
}

/** The outcome: calls per second, or the first refusal. */
export type CallsMade = { readonly rate: number } | { readonly refused: string };

process.on('message', async (asked: Calls | Chains) => {
  const made = await ('chains' in asked ? postChains(asked) : postRepeatedly(asked));
  process.send?.(made);
});

async function postRepeatedly({ url, headers, body, callers, seconds }: Calls): Promise<CallsMade> {
  const post = poster(headers);
  let refused: number | undefined;
  const rate = await rateOf(callers, seconds, async () => {
    const status = await post(url, body.replace('{id}', randomUUID()), { 'idempotency-key': randomUUID() });
    if (status >= 300) refused = status;
  });
  return refused === undefined ? { rate } : { refused: String(refused) };
}

async function postChains({ url, headers, callers, chains }: Chains): Promise<CallsMade> {
  const post = answering(headers);
  const started = performance.now();
  const queue = chains.values();
  let calls = 0;
  let refused: string | undefined;
  const postRest = async (): Promise<void> => {
    for (const chain of queue) {
      let previous = '';
      for (const body of chain) {
        if (refused !== undefined) return;
        calls += 1;
        const { status, text } = await post(url, body.replace('{previous}', previous));
        if (status >= 300) refused = `${status}: ${text.slice(0, 300)}`;
        else previous = String(JSON.parse(text).result.id);
      }
    }
  };
  await Promise.all(Array.from({ length: callers }, postRest));
  return refused === undefined ? { rate: (calls * 1000) / (performance.now() - started) } : { refused };
}
