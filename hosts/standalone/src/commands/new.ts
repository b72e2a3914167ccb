import { relative } from 'node:path';
import { Command } from 'commander';
import { createPlugin, nextSteps } from 'create-pacioli-plugin';

export function newCommand(): Command {
  const plugin = new Command('plugin')
    .description('Creates a plugin that installs, tests and packs with npm alone.')
    .argument('<name>', 'its name in kebab-case, such as expense-claims')
    .option('--folder <folder>', 'a new or empty folder; by default one with the name of the plugin')
    .action(async (name: string, options: { readonly folder?: string }) => {
      const folder = await createPlugin(name, options.folder);
      console.log(nextSteps(name, relative(process.cwd(), folder)));
    });
  return new Command('new').description('Creates a project.').addCommand(plugin);
}
