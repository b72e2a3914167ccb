import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { Command } from 'commander';

export function conformanceCommand(): Command {
  return new Command('conformance')
    .description('Runs the conformance cases against a running deployment.')
    .allowUnknownOption()
    .argument('[options...]', 'options of pacioli-conformance; see its --help')
    .helpOption(false)
    .action((given: readonly string[]) => {
      const cli = createRequire(import.meta.url).resolve('@pacioli/conformance/cli');
      process.exitCode = spawnSync(process.execPath, [cli, ...given], { stdio: 'inherit' }).status ?? 1;
    });
}
