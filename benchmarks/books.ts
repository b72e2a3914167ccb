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
}

export async function openBooks(bench: BenchService): Promise<Books> {
  const graph = await bench.user.createGraph('Bench books', ['ledger']);
  await bench.user.post(`/extensions/ledger/${graph}/operations/initialize`, { earliest_data_period: '2025-01' });
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
  return { graph, accounts: [idOf('1000'), idOf('4000'), idOf('2300')] };
}
