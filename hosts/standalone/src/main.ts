#!/usr/bin/env node
import { Command } from 'commander';

/** Every command by name, in help order. Only the requested one is loaded, because loading all is slow. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand(),
  work: async () => (await import('./commands/work.ts')).workCommand(),
  migrate: async () => (await import('./commands/migrate.ts')).migrateCommand(),
  'import-journal': async () => (await import('./commands/import-journal.ts')).importJournalCommand(),
  demo: async () => (await import('./commands/demo.ts')).demoCommand(),
  audit: async () => (await import('./commands/audit.ts')).auditCommand(),
  'ledger-verify': async () => (await import('./commands/ledger-verify.ts')).ledgerVerifyCommand(),
  library: async () => (await import('./commands/library.ts')).libraryCommand(),
  switches: async () => (await import('./commands/switches.ts')).switchesCommand(),
  conformance: async () => (await import('./commands/conformance.ts')).conformanceCommand(),
  gen: async () => (await import('./commands/gen.ts')).genCommand(),
  openapi: async () => (await import('./commands/documents.ts')).openapiCommand(),
  sdl: async () => (await import('./commands/documents.ts')).sdlCommand(),
};

const program = new Command('pacioli')
  .description('Accounting, reporting and analysis on knowledge graphs.')
  .version('0.1.0')
  .showHelpAfterError();

try {
  // The help, and the suggestions for a mistyped name, need all commands.
  const named = Object.entries(commands).filter(([name]) => name === process.argv[2]);
  for (const [, load] of named.length > 0 ? named : Object.entries(commands)) program.addCommand(await load());
  await program.parseAsync();
} catch (error) {
  const { reportProblem } = await import('./report-problem.ts');
  process.exitCode = reportProblem(error);
}
