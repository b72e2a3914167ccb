import { Command } from 'commander';

interface GenOptions {
  readonly check?: boolean;
  readonly watch?: boolean;
}

export function genCommand(): Command {
  return new Command('gen')
    .description('Writes the list of parts and the row types of the plugin in this folder.')
    .option('--check', 'write nothing, and fail if a file is not current')
    .option('--watch', 'write them again after each change')
    .addHelpText(
      'after',
      '\nWrites src/all.gen.ts from the folders of parts, and src/rows.gen.ts from the migrations, which it applies to\nan empty embedded database.',
    )
    .action(async (options: GenOptions) => {
      const folder = process.cwd();
      const { requirePlugin } = await import('../generate/plugin-folder.ts');
      requirePlugin(folder);
      if (options.watch === true) {
        const { watchPlugin } = await import('../generate/watch-plugin.ts');
        await watchPlugin(folder);
        return;
      }
      const { generatePlugin } = await import('../generate/plugin-files.ts');
      const { loadTypeScript } = await import('../generate/load-typescript.ts');
      // Last, because it would also read the modules of the kernel, which are JavaScript, and that takes seconds.
      loadTypeScript();
      if (!(await generatePlugin(folder, options.check === true))) process.exitCode = 1;
    });
}
