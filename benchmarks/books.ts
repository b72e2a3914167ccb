import blocks from '@pacioli/blocks';
import ledger from '@pacioli/ledger';
import taxonomy from '@pacioli/taxonomy';
import type { BenchService } from './bench-service.ts';

/** The plugins for the ledger benchmarks. */
export const ledgerPlugins = [taxonomy, blocks, ledger];

/** A graph with the services chart and the ids of three of its accounts. */
export interface Books {
  readonly graph: string;
  readonly accounts: readonly [string, string, string];
  /** The id of another account, by its code. */
  idOf(code: string): string;
}

export async function openBooks(bench: Pick<BenchService, 'user'>, firstMonth = '2025-01'): Promise<Books> {
  const graph = await bench.user.createGraph('Bench books', ['ledger']);
  await bench.user.post(`/extensions/ledger/${graph}/operations/initialize`, { earliest_data_period: firstMonth });
  await bench.user.post(`/extensions/ledger/${graph}/operations/initialize-chart-of-accounts`, {
    template: 'services',
  });
  const answer = await bench.user.graphql(graph, '{ accounts(limit: 200) { accounts { id code } } }');
  const accounts: readonly { id: string; code: string }[] = answer.body.data.accounts.accounts;
  const idOf = (code: string): string => {
    const account = accounts.find((each) => each.code === code);
    if (account === undefined) throw new Error(`The chart has no account ${code}.`);
    return account.id;
  };
  return { graph, idOf, accounts: [idOf('1000'), idOf('4000'), idOf('2300')] };
}
