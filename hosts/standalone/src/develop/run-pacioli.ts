import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Runs this program with these arguments in a process of its own: a process cannot load changed modules again. A
 * `separate` process does not get the signals of the terminal, so that its parent decides when it stops; the channel to
 * it tells the process when the parent is killed.
 */
export function runPacioli(words: readonly string[], { separate = false } = {}): ChildProcess {
  const [, program = ''] = process.argv;
  return spawn(process.execPath, [...process.execArgv, program, ...words], {
    stdio: ['ignore', 'inherit', 'inherit', ...(separate ? (['ipc'] as const) : [])],
    detached: separate,
  });
}
