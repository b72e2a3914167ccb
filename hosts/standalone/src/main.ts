#!/usr/bin/env node
import { loadProgram } from './program.ts';

try {
  const program = await loadProgram(process.argv[2]);
  await program.parseAsync();
} catch (error) {
  const { reportProblem } = await import('./report-problem.ts');
  process.exitCode = reportProblem(error);
}
