import { Command } from 'commander';
import { findConfigFile } from './config-file.ts';
import { hostCommands } from './host-commands.ts';

/** The program's own commands. Only the requested one is loaded, because loading all is slow. */
const commands: Readonly<Record<(typeof hostCommands)[number], () => Promise<Command>>> = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand(),
  work: async () => (await import('./commands/work.ts')).workCommand(),
  migrate: async () => (await import('./commands/migrate.ts')).migrateCommand(),
  'import-journal': async () => (await import('./commands/import-journal.ts')).importJournalCommand(),
  demo: async () => (await import('./commands/demo.ts')).demoCommand(),
  audit: async () => (await import('./commands/audit.ts')).auditCommand(),
  library: async () => (await import('./commands/library.ts')).libraryCommand(),
  switches: async () => (await import('./commands/switches.ts')).switchesCommand(),
  conformance: async () => (await import('./commands/conformance.ts')).conformanceCommand(),
  dev: async () => (await import('./commands/dev.ts')).devCommand(),
  gen: async () => (await import('./commands/gen.ts')).genCommand(),
  new: async () => (await import('./commands/new.ts')).newCommand(),
  openapi: async () => (await import('./commands/documents.ts')).openapiCommand(),
  sdl: async () => (await import('./commands/documents.ts')).sdlCommand(),
};

/** The program with the command of this name, or with all commands: the help and suggestions for a typo need all. */
export async function loadProgram(name?: string): Promise<Command> {
  const program = new Command('pacioli')
    .description('Accounting, reporting and analysis on knowledge graphs.')
    .version('0.1.0')
    .showHelpAfterError();
  const own = hostCommands.find((each) => each === name);
  if (own !== undefined) return program.addCommand(await commands[own]());
  const ofPlugins = await commandsOfPlugins(name);
  const named = ofPlugins.find((each) => each.name() === name);
  if (named !== undefined) return program.addCommand(named);
  for (const each of hostCommands) program.addCommand(await commands[each]());
  for (const each of ofPlugins) program.addCommand(each);
  return program;
}

/** The commands of the deployment's plugins. Help is there also when the file that lists them cannot be loaded. */
async function commandsOfPlugins(name: string | undefined): Promise<readonly Command[]> {
  const [{ pluginCommands }, { loadConfig }] = await Promise.all([
    import('./plugin-commands.ts'),
    import('./load-config.ts'),
  ]);
  const file = findConfigFile(process.cwd(), process.env['PACIOLI_CONFIG']);
  try {
    return pluginCommands((await loadConfig(file)).plugins);
  } catch (error) {
    if (name !== undefined && !name.startsWith('-') && name !== 'help') throw error;
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    console.error(`Without the commands of plugins, because ${file} cannot be loaded: ${reason}`);
    return [];
  }
}
