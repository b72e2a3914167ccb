// Written by `npm run gen`. Do not edit.
import type { PluginParts } from '@pacioli/core';
import createEventBlock from './operations/create-event-block.ts';
import initializeChartOfAccounts from './operations/initialize-chart-of-accounts.ts';
import initialize from './operations/initialize.ts';
import accountTree from './queries/accountTree.ts';
import accounts from './queries/accounts.ts';
import chartTemplates from './queries/chartTemplates.ts';
import entity from './queries/entity.ts';
import eventBlock from './queries/eventBlock.ts';
import eventBlocks from './queries/eventBlocks.ts';
import fiscalCalendar from './queries/fiscalCalendar.ts';
import journalEntries from './queries/journalEntries.ts';
import mappedTrialBalance from './queries/mappedTrialBalance.ts';
import summary from './queries/summary.ts';
import transaction from './queries/transaction.ts';
import transactions from './queries/transactions.ts';
import trialBalance from './queries/trialBalance.ts';

export const all = {
  operations: [createEventBlock, initializeChartOfAccounts, initialize],
  queries: [accountTree, accounts, chartTemplates, entity, eventBlock, eventBlocks, fiscalCalendar, journalEntries, mappedTrialBalance, summary, transaction, transactions, trialBalance],
} as const satisfies PluginParts;
