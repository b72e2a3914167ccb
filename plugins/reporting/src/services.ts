import { type Provider, provide } from '@pacioli/core';
import { balances, entities } from '@pacioli/ledger';
import { chartOfAccounts, mappings, statementStructures } from '@pacioli/taxonomy';
import { StatementReader } from './statement-reader.ts';
import { statementReader } from './tokens.ts';

export const services: readonly Provider[] = [
  provide(statementReader, {
    needs: { balances, entities, chart: chartOfAccounts, mappings, statements: statementStructures },
    create: (use) => new StatementReader(use),
  }),
];
