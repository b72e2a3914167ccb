#!/usr/bin/env node
import { loadProgram } from './program.ts';

// Before the program is loaded: in development, the GraphQL library checks each value of an answer again.
process.env['NODE_ENV'] ??= 'production';

try {
  const program = await loadProgram(process.argv[2]);
  await program.parseAsync();
} catch (error) {
  const { reportProblem } = await import('./report-problem.ts');
  process.exitCode = reportProblem(error);
}
