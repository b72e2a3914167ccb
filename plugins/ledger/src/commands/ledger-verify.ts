import { defineCommand, kernel, model, notFound, type Store } from '@pacioli/core';
import { Type } from 'typebox';
import type { LedgerLog, LogHead } from '../log/index.ts';
import { bookVerifier, ledgerLog } from '../tokens.ts';

/** A longer limit than a request has, because one statement may read all rows of the ledger. */
const maxStatementMs = 3_600_000;

/** Checks the ledger of a graph against its rules, its log and its closing receipts (ledger 10, L-198, L-214). */
export default defineCommand({
  name: 'ledger-verify',
  summary: 'Verifies the books of a graph: the rules, the hash chain of the log, and the receipts of closed months.',
  help: 'With the embedded store, stop the server first. The exit code is 1 when a rule is broken.',
  options: model('LedgerVerifyOptions', { graph: Type.String({ description: 'id of the graph' }) }),
  positional: ['graph'],
  services: { graphs: kernel.graphs, ledgerLog, bookVerifier },
  async run({ options: { graph: graphId }, ctx: { store, print }, use }) {
    const graph = await store.transaction('kernel', (tx) => use.graphs.find(tx, graphId));
    if (graph === undefined) throw notFound(`There is no graph '${graphId}'. Give the id of one, such as kg1a2b.`);
    const head = await sealAll(store, use.ledgerLog, graphId);
    const broken = await store.transaction({ graphId }, (tx) => use.bookVerifier.verify(tx), {
      readOnly: true,
      maxStatementMs,
    });
    for (const { rule, meaning, offenders } of broken)
      print(`${rule} is broken (${meaning}). See ${offenders.join(', ')}.`);
    if (broken.length === 0) print(`The books of ${graphId} satisfy all rules.`);
    if (head !== undefined) print(`The log has ${head.seq} rows; the hash of the last one is ${head.hash}.`);
    return broken.length === 0 ? 0 : 1;
  },
});

/** Seals pending rows, one transaction per batch, and returns the head of the chain. */
async function sealAll(store: Store, log: LedgerLog, graphId: string): Promise<LogHead | undefined> {
  while ((await store.transaction({ graphId }, (tx) => log.seal(tx))) > 0);
  return store.transaction({ graphId }, (tx) => log.head(tx));
}
