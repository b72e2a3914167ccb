import { Command } from 'commander';

export function devCommand(): Command {
  return new Command('dev')
    .description('Serves the deployment of this folder, and again after each change of src or pacioli.config.ts.')
    .addHelpText('after', '\nTakes the environment of "pacioli serve". The data folder is kept between the starts.')
    .action(async () => {
      const { runDevelopmentHost } = await import('../develop/development-host.ts');
      await runDevelopmentHost(process.cwd());
    });
}
