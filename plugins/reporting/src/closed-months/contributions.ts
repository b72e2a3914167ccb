import { factStore, ruleEngine } from '@pacioli/blocks';
import { type Contribution, contribute } from '@pacioli/core';
import { balances, closeSteps, entities, entryFlows } from '@pacioli/ledger';
import { chartOfAccounts, mappings, statementStructures } from '@pacioli/taxonomy';
import { MonthStatements } from './month-statements.ts';

/** Closing a month writes its statements, after the rules of schedules (ledger L-158). */
export const contributions: readonly Contribution[] = [
  contribute(closeSteps, 'statements', {
    after: ['schedule-rules'],
    services: {
      balances,
      chart: chartOfAccounts,
      entities,
      entryFlows,
      facts: factStore,
      mappings,
      rules: ruleEngine,
      statements: statementStructures,
    },
    create: (use) => {
      const statements = new MonthStatements(use);
      return { run: (args) => statements.run(args), reopen: (args) => statements.reopen(args) };
    },
  }),
];
