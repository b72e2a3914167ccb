import { Command } from 'commander';

/** Every command by name, in help order. Only the requested one is loaded, because loading all is slow. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serveCommand(),
  work: async () => (await import('./work.ts')).workCommand(),
  migrate: async () => (await import('./migrate.ts')).migrateCommand(),
  'import-journal': async () => (await import('./import-journal.ts')).importJournalCommand(),
  demo: async () => (await import('./demo.ts')).demoCommand(),
  audit: async () => (await import('./audit.ts')).auditCommand(),
  'ledger-verify': async () => (await import('./ledger-verify.ts')).ledgerVerifyCommand(),
  library: async () => (await import('./library.ts')).libraryCommand(),
  switches: async () => (await import('./switches.ts')).switchesCommand(),
  conformance: async () => (await import('./conformance.ts')).conformanceCommand(),
  dev: async () => (await import('./dev.ts')).devCommand(),
  gen: async () => (await import('./gen.ts')).genCommand(),
  new: async () => (await import('./new.ts')).newCommand(),
  openapi: async () => (await import('./documents.ts')).openapiCommand(),
  sdl: async () => (await import('./documents.ts')).sdlCommand(),
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
