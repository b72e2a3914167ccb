import { once } from 'node:events';
import type { HashChain, RowOf } from '@pacioli/core';
import { auditChains, auditRows, kernelPlugin, migrationSets } from '@pacioli/core/assembly';
import type { Store } from '@pacioli/core/ports';
import { Command, InvalidArgumentError, Option } from 'commander';
import { openStore, requireStore } from '../deployment.ts';
import { readSettings } from '../settings.ts';
import { StartUpError } from '../start-up-error.ts';

const rowsPerBatch = 500;

/** The most broken rows and gaps that a verification lists. */
const maxBroken = 20;

/** A longer limit, because one statement may read thousands of rows of a large audit record. */
const maxStatementMs = 3_600_000;

const kinds = ['security', 'operations'] as const;
type Kind = (typeof kinds)[number];

interface Options {
  readonly of?: Kind;
  readonly since: Date;
  readonly verify?: boolean;
}

/** Prints audit rows as JSON lines, oldest first, for archives and monitoring, or verifies them (platform P-30). */
export function auditCommand(): Command {
  return new Command('audit')
    .description('Prints the audit record as JSON lines, oldest first, or verifies that it was not altered.')
    .addOption(new Option('--of <kind>', 'which record (default: security; with --verify both)').choices(kinds))
    .option('--since <instant>', 'only rows from this instant on', instantOf, new Date(0))
    .option('--verify', 'verify the hash chain over the rows, and print its last row and hash')
    .addHelpText(
      'after',
      '\nWith the embedded store, stop the server first. A verification exits with 1 when a row was changed, is missing' +
        ' or was inserted. Keep the printed hash in another place.',
    )
    .action(async (options: Options) => {
      const settings = readSettings(process.env);
      requireStore(settings);
      const store = await openStore(settings);
      try {
        if ((await store.pendingMigrations(migrationSets([kernelPlugin]))).length > 0)
          throw new StartUpError('The database has no audit record of this version yet. Run "pacioli migrate" first.');
        if (options.verify !== true) await print(store, options.of ?? 'security', options.since);
        else for (const kind of options.of === undefined ? kinds : [options.of]) await verify(store, kind);
      } finally {
        await store.close();
      }
    });
}

type AuditRow = RowOf<ReturnType<typeof auditRows>>;

/** The row without the hashes that earlier versions stored in it. */
function lineOf({ seq: _seq, prev_hash: _before, hash: _hash, ...fields }: AuditRow): object {
  return fields;
}

async function print(store: Store, kind: Kind, since: Date): Promise<void> {
  await store.transaction(
    'kernel',
    async (tx) => {
      for await (const batch of tx.stream(auditRows(kind, since), rowsPerBatch)) {
        const text = batch.map((row) => `${JSON.stringify(lineOf(row))}\n`).join('');
        if (!process.stdout.write(text)) await once(process.stdout, 'drain');
      }
    },
    { readOnly: true },
  );
}

/** Seals pending rows, one transaction per batch, and compares the record with its chain. */
async function verify(store: Store, kind: Kind): Promise<void> {
  const chain: HashChain = auditChains[kind];
  while ((await store.transaction('kernel', (tx) => chain.seal(tx))) > 0);
  const found = await store.transaction(
    'kernel',
    async (tx) => ({
      broken: await chain.broken(tx, maxBroken),
      expired: await chain.expired(tx),
      head: await chain.head(tx),
    }),
    { readOnly: true, maxStatementMs },
  );
  for (const link of found.broken) console.log(`The ${kind} audit was altered: ${link}.`);
  if (found.broken.length === 0) console.log(`The ${kind} audit is unaltered.`);
  if (found.expired !== undefined) {
    const { seq, until } = found.expired;
    console.log(`Its first ${seq} rows, the newest of ${until.toISOString()}, were removed after their retention.`);
  }
  if (found.head !== undefined)
    console.log(`It ends with row ${found.head.seq}; the hash of that is ${found.head.hash}.`);
  if (found.broken.length > 0) process.exitCode = 1;
}

function instantOf(text: string): Date {
  const instant = new Date(text);
  if (!Number.isNaN(instant.getTime())) return instant;
  throw new InvalidArgumentError('Give an instant such as 2026-03-31T00:00:00Z.');
}
