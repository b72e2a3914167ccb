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
  openapi: async () => (await import('./commands/documents.ts')).openapiCommand(),
  sdl: async () => (await import('./commands/documents.ts')).sdlCommand(),
};

/** The program with the command of this name, or with all commands: the help and suggestions for a typo need all. */
export async function loadProgram(name?: string): Promise<Command> {
  const program = new Command('pacioli')
    .description('Accounting, reporting and analysis on knowledge graphs.')
    .version('0.1.0')
    .showHelpAfterError();
  const named = Object.entries(commands).filter(([each]) => each === name);
  for (const [, load] of named.length > 0 ? named : Object.entries(commands)) program.addCommand(await load());
  return program;
}
