// Written by `npm run gen`. Do not edit.
import type { PluginParts } from '@pacioli/core';
import backfillPlanHistory from './operations/backfill-plan-history.ts';
import changeReportingStyle from './operations/change-reporting-style.ts';
import closePeriod from './operations/close-period.ts';
import createAgent from './operations/create-agent.ts';
import createEventBlock from './operations/create-event-block.ts';
import createEventHandler from './operations/create-event-handler.ts';
import deleteJournalEntry from './operations/delete-journal-entry.ts';
import executeEventBlock from './operations/execute-event-block.ts';
import initializeChartOfAccounts from './operations/initialize-chart-of-accounts.ts';
import initialize from './operations/initialize.ts';
import linkEntityTaxonomy from './operations/link-entity-taxonomy.ts';
import previewEventBlock from './operations/preview-event-block.ts';
import previewReconcilingItem from './operations/preview-reconciling-item.ts';
import promoteObligations from './operations/promote-obligations.ts';
import rebuildSchedule from './operations/rebuild-schedule.ts';
import reopenPeriod from './operations/reopen-period.ts';
import resolveReconcilingItem from './operations/resolve-reconciling-item.ts';
import setCloseTarget from './operations/set-close-target.ts';
import terminateSchedule from './operations/terminate-schedule.ts';
import updateAgent from './operations/update-agent.ts';
import updateEntity from './operations/update-entity.ts';
import updateEventBlock from './operations/update-event-block.ts';
import updateEventHandler from './operations/update-event-handler.ts';
import updateJournalEntry from './operations/update-journal-entry.ts';
import accountRollups from './queries/accountRollups.ts';
import accountTree from './queries/accountTree.ts';
import accounts from './queries/accounts.ts';
import agent from './queries/agent.ts';
import agents from './queries/agents.ts';
import chartTemplates from './queries/chartTemplates.ts';
import closingBookStructures from './queries/closingBookStructures.ts';
import entities from './queries/entities.ts';
import entity from './queries/entity.ts';
import eventBlock from './queries/eventBlock.ts';
import eventBlocks from './queries/eventBlocks.ts';
import fiscalCalendar from './queries/fiscalCalendar.ts';
import journalEntries from './queries/journalEntries.ts';
import mappedTrialBalance from './queries/mappedTrialBalance.ts';
import openPayables from './queries/openPayables.ts';
import openPayablesByAgent from './queries/openPayablesByAgent.ts';
import openReceivables from './queries/openReceivables.ts';
import openReceivablesByAgent from './queries/openReceivablesByAgent.ts';
import periodCloseStatus from './queries/periodCloseStatus.ts';
import periodDrafts from './queries/periodDrafts.ts';
import summary from './queries/summary.ts';
import transaction from './queries/transaction.ts';
import transactions from './queries/transactions.ts';
import trialBalance from './queries/trialBalance.ts';
import getClosePlaybook from './tools/get-close-playbook.ts';
import sealLog from './jobs/seal-log.ts';
import sweepObligations from './jobs/sweep-obligations.ts';
import entryPostedEvent from './events/entry-posted.ts';
import entryReversedEvent from './events/entry-reversed.ts';
import eventRecordedEvent from './events/event-recorded.ts';
import invoiceSettledEvent from './events/invoice-settled.ts';
import periodClosedEvent from './events/period-closed.ts';
import periodReopenedEvent from './events/period-reopened.ts';
import ledgerVerify from './commands/ledger-verify.ts';
import { ENTITY_HAS_TAXONOMY } from './analytical/ENTITY_HAS_TAXONOMY.ts';
import { ENTITY_HAS_TRANSACTION } from './analytical/ENTITY_HAS_TRANSACTION.ts';
import { ENTRY_HAS_LINE_ITEM } from './analytical/ENTRY_HAS_LINE_ITEM.ts';
import { Entity } from './analytical/Entity.ts';
import { Entry } from './analytical/Entry.ts';
import { FACT_HAS_ENTITY } from './analytical/FACT_HAS_ENTITY.ts';
import { LINE_ITEM_RELATES_TO_ELEMENT } from './analytical/LINE_ITEM_RELATES_TO_ELEMENT.ts';
import { LineItem } from './analytical/LineItem.ts';
import { TRANSACTION_HAS_ENTRY } from './analytical/TRANSACTION_HAS_ENTRY.ts';
import { Transaction } from './analytical/Transaction.ts';

export const all = {
  operations: [backfillPlanHistory, changeReportingStyle, closePeriod, createAgent, createEventBlock, createEventHandler, deleteJournalEntry, executeEventBlock, initializeChartOfAccounts, initialize, linkEntityTaxonomy, previewEventBlock, previewReconcilingItem, promoteObligations, rebuildSchedule, reopenPeriod, resolveReconcilingItem, setCloseTarget, terminateSchedule, updateAgent, updateEntity, updateEventBlock, updateEventHandler, updateJournalEntry],
  queries: [accountRollups, accountTree, accounts, agent, agents, chartTemplates, closingBookStructures, entities, entity, eventBlock, eventBlocks, fiscalCalendar, journalEntries, mappedTrialBalance, openPayables, openPayablesByAgent, openReceivables, openReceivablesByAgent, periodCloseStatus, periodDrafts, summary, transaction, transactions, trialBalance],
  tools: [getClosePlaybook],
  jobs: [sealLog, sweepObligations],
  events: [entryPostedEvent, entryReversedEvent, eventRecordedEvent, invoiceSettledEvent, periodClosedEvent, periodReopenedEvent],
  commands: [ledgerVerify],
  nodes: [Entity, Entry, LineItem, Transaction],
  relationships: [ENTITY_HAS_TAXONOMY, ENTITY_HAS_TRANSACTION, ENTRY_HAS_LINE_ITEM, FACT_HAS_ENTITY, LINE_ITEM_RELATES_TO_ELEMENT, TRANSACTION_HAS_ENTRY],
} as const satisfies PluginParts;
