import { kernelPlugin, migrationSets, sortPlugins } from '@pacioli/core/assembly';
import { Command } from 'commander';
import { openStore } from '../deployment.ts';
import { loadConfig } from '../load-config.ts';
import { prepareDataDir, readSettings } from '../settings.ts';

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Migrates the tables of the kernel and all plugins to this version.')
    .option('--dry-run', 'only print the pending migrations')
    .action(async (options: { readonly dryRun?: boolean }) => {
      const settings = readSettings(process.env);
      prepareDataDir(settings.dataDir);
      const { plugins } = await loadConfig(settings.configFile, settings.plugins);
      const store = await openStore(settings);
      try {
        const sets = migrationSets(sortPlugins([kernelPlugin, ...plugins]).ordered);
        const migrations = options.dryRun === true ? await store.pendingMigrations(sets) : await store.migrate(sets);
        for (const { owner, name } of migrations)
          console.log(`${options.dryRun === true ? 'would apply' : 'applied'} ${owner}/${name}`);
        if (migrations.length === 0) console.log('Nothing to do: all migrations have been applied.');
      } finally {
        await store.close();
      }
    });
}
