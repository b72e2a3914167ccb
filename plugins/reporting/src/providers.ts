import { type Provider, provide } from '@pacioli/core';
import { balances, entities } from '@pacioli/ledger';
import { chartOfAccounts, mappings, statementStructures } from '@pacioli/taxonomy';
import { StatementReader } from './statement-reader.ts';
import { statementReader } from './tokens.ts';

export const providers: readonly Provider[] = [
  provide(statementReader, {
    services: { balances, entities, chart: chartOfAccounts, mappings, statements: statementStructures },
    create: (use) => new StatementReader(use),
  }),
];
