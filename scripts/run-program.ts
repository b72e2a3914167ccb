import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a program in this terminal to its end. Returns its exit code, or 1 if a signal ended it. */
export async function runProgram(program: string, words: readonly string[]): Promise<number> {
  const child = spawn(program, words, { stdio: 'inherit' });
  const [exitCode] = await once(child, 'exit');
  return typeof exitCode === 'number' ? exitCode : 1;
}
