import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Calls, CallsMade, Chains } from './caller-program.ts';

/** Callers in a separate process, as in production, so that their CPU time is not counted as the service's. */
export interface Callers {
  /** Returns calls per second. Throws if a call was rejected, because such a benchmark would be meaningless. */
  rate(calls: Calls): Promise<number>;
  /** Posts all bodies once and returns posts per second. Throws if one was rejected. */
  post(chains: Chains): Promise<number>;
  close(): void;
}

export function startCallers(): Callers {
  const program = fileURLToPath(new URL('./caller-program.ts', import.meta.url));
  const child = fork(program, [], { execArgv: ['--import', 'tsx', '--conditions=@pacioli/source'] });
  const send = async (calls: Calls | Chains): Promise<number> => {
    const answer = answerOf(child);
    child.send(calls);
    const made = await answer;
    if ('refused' in made) throw new Error(`A call returned status ${made.refused}.`);
    return made.rate;
  };
  return { rate: send, post: send, close: () => child.kill() };
}

/** The next message of the callers; throws if they exit instead. */
async function answerOf(child: ChildProcess): Promise<CallsMade> {
  const answered = new AbortController();
  const { signal } = answered;
  const ended = once(child, 'exit', { signal }).then(([code, killedBy]): never => {
    throw new Error(`The process of the callers ended (${code ?? killedBy}) before it responded.`);
  });
  try {
    const [made] = await Promise.race([once(child, 'message', { signal }), ended]);
    return made as CallsMade; // The program sends nothing else.
  } finally {
    answered.abort();
  }
}
