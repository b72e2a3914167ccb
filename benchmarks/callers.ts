import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Calls, CallsMade } from './caller-program.ts';

/** Callers in a process of their own, as they are in life: their work is not counted as the service's. */
export interface Callers {
  /** Calls a second. Throws when one of them was refused: a benchmark of refusals would be fast and worthless. */
  rate(calls: Calls): Promise<number>;
  close(): void;
}

export function startCallers(): Callers {
  const program = fileURLToPath(new URL('./caller-program.ts', import.meta.url));
  const child = fork(program, [], { execArgv: ['--import', 'tsx', '--conditions=@pacioli/source'] });
  return {
    rate: async (calls) => {
      const answer = answerOf(child);
      child.send(calls);
      const made = await answer;
      if ('refused' in made) throw new Error(`A call was answered with ${made.refused}.`);
      return made.rate;
    },
    close: () => child.kill(),
  };
}

/** What the callers say next; throws when they end instead. */
async function answerOf(child: ChildProcess): Promise<CallsMade> {
  const answered = new AbortController();
  const { signal } = answered;
  const ended = once(child, 'exit', { signal }).then(([code, killedBy]): never => {
    throw new Error(`The process of the callers ended (${code ?? killedBy}) before it answered.`);
  });
  try {
    const [made] = await Promise.race([once(child, 'message', { signal }), ended]);
    return made as CallsMade; // The program sends nothing else.
  } finally {
    answered.abort();
  }
}
