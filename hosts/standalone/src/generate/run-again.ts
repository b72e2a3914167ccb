import { type ChildProcess, spawn } from 'node:child_process';

/** Runs this program with these arguments in a process of its own: a process cannot load changed modules again. */
export function runPacioli(words: readonly string[]): ChildProcess {
  const [, program = ''] = process.argv;
  return spawn(process.execPath, [...process.execArgv, program, ...words], { stdio: 'inherit' });
}
