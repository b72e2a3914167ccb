import { once } from 'node:events';
import { sql } from '@pacioli/core';
import { kernelPlugin, migrationSets } from '@pacioli/core/assembly';
import { Command, InvalidArgumentError, Option } from 'commander';
import { openStore, requireStore } from '../deployment.ts';
import { readSettings } from '../settings.ts';
import { StartUpError } from '../start-up-error.ts';

const rows_per_batch = 500;

const tables = { security: 'kernel_security_audit', operations: 'kernel_operation_audit' } as const;

/** Writes audit rows as one JSON object a line, oldest first, for archives and monitors (platform P-30). */
export function auditCommand(): Command {
  return new Command('audit')
    .description('Prints the audit record as JSON lines, oldest first.')
    .addOption(new Option('--of <kind>', 'which record').choices(Object.keys(tables)).default('security'))
    .option('--since <instant>', 'only rows from this moment on', instantOf, new Date(0))
    .action(async (options: { readonly of: keyof typeof tables; readonly since: Date }) => {
      const settings = readSettings(process.env);
      requireStore(settings);
      const store = await openStore(settings);
      try {
        if ((await store.pendingMigrations(migrationSets([kernelPlugin]))).length > 0)
          throw new StartUpError('The database has no audit record of this version yet. Run "pacioli migrate" first.');
        await store.transaction(
          'kernel',
          async (tx) => {
            const rows = sql<Record<string, unknown>>`
              SELECT * FROM ${sql.table(tables[options.of])} WHERE at >= ${options.since} ORDER BY at`;
            for await (const batch of tx.stream(rows, rows_per_batch)) {
              const text = batch.map((row) => `${JSON.stringify(row)}\n`).join('');
              if (!process.stdout.write(text)) await once(process.stdout, 'drain');
            }
          },
          { readOnly: true },
        );
      } finally {
        await store.close();
      }
    });
}

function instantOf(text: string): Date {
  const instant = new Date(text);
  if (!Number.isNaN(instant.getTime())) return instant;
  throw new InvalidArgumentError('Give a moment such as 2026-03-31T00:00:00Z.');
}
