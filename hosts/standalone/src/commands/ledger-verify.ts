import { kernel, type Store } from '@pacioli/core';
import type { Service } from '@pacioli/core/assembly';
import { bookVerifier, type LedgerLog, type LogHead, ledgerLog } from '@pacioli/ledger';
import { Command } from 'commander';
import { openDeployment } from '../deployment.ts';
import { createLog } from '../log.ts';
import { readSettings } from '../settings.ts';
import { StartUpError } from '../start-up-error.ts';

/** A longer limit than a request has, because one statement may read all rows of the ledger. */
const maxStatementMs = 3_600_000;

/** Checks the ledger of a graph against its rules, its log and its closing receipts (ledger 10, L-198, L-214). */
export function ledgerVerifyCommand(): Command {
  return new Command('ledger-verify')
    .description(
      'Verifies the books of a graph: the rules, the hash chain of the log, and the receipts of closed months.',
    )
    .argument('<graph>', 'id of the graph')
    .addHelpText('after', '\nWith the embedded store, stop the server first. The exit code is 1 when a rule is broken.')
    .action(async (graphId: string) => {
      const settings = readSettings(process.env);
      const deployment = await openDeployment(settings, createLog(settings.switches.logLevel), { untouched: true });
      try {
        await verify(deployment.store, deployment.service, graphId);
      } finally {
        await deployment.close();
      }
    });
}

async function verify(store: Store, { services }: Service, graphId: string): Promise<void> {
  const graph = await store.transaction('kernel', (tx) => services.resolve(kernel.graphs).find(tx, graphId));
  if (graph === undefined)
    throw new StartUpError(`There is no graph '${graphId}'. Give the id of one, such as kg1a2b.`);
  const head = await sealAll(store, services.resolve(ledgerLog), graphId);
  const broken = await store.transaction({ graphId }, (tx) => services.resolve(bookVerifier).verify(tx), {
    readOnly: true,
    maxStatementMs,
  });
  for (const { rule, meaning, offenders } of broken)
    console.log(`${rule} is broken (${meaning}). See ${offenders.join(', ')}.`);
  if (broken.length === 0) console.log(`The books of ${graphId} satisfy all rules.`);
  if (head !== undefined) console.log(`The log has ${head.seq} rows; the hash of the last one is ${head.hash}.`);
  if (broken.length > 0) process.exitCode = 1;
}

/** Seals pending rows, one transaction per batch, and returns the head of the chain. */
async function sealAll(store: Store, log: LedgerLog, graphId: string): Promise<LogHead | undefined> {
  while ((await store.transaction({ graphId }, (tx) => log.seal(tx))) > 0);
  return store.transaction({ graphId }, (tx) => log.head(tx));
}
