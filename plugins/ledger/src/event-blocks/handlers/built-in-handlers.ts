import {
  type Contribution,
  contribute,
  invalidInput,
  notFound,
  ServiceError,
  type Token,
  type Transaction,
} from '@pacioli/core';
import { type ChartOfAccounts, chartOfAccounts } from '@pacioli/taxonomy';
import {
  type EntryRow,
  type HandledEvent,
  type JournalPlan,
  type JournalReads,
  MetadataProblem,
  readJournal,
  readReversal,
  resolveAccounts,
  reversed,
  unresolved,
} from '../../journal/index.ts';
import type { Settlements } from '../../open-items/index.ts';
import { eventHandlers } from '../../tokens.ts';
import { defaultCurrency } from '../../values/index.ts';
import type { EventHandler, PlanWork } from '../event-handler.ts';

/** Event types whose metadata is a journal entry, or several (ledger 5.5). */
const journalTypes = [
  'journal_entry_recorded',
  'invoice_issued',
  'bill_received',
  'sales_receipt_recorded',
  'cash_expense_recorded',
  'check_written',
  'credit_card_charge',
  'credit_card_refund',
  'deposit_received',
  'inventory_adjusted',
  'payment_received',
  'bill_paid',
] as const;

/** The schedule that a reversal affects: by the entry of one of its months, or by its disposal. */
export type ReversalOfSchedule =
  | { readonly kind: 'month'; readonly scheduleId: string }
  | { readonly kind: 'disposal'; readonly eventId: string };

/** The reversed entry, and the schedule that its reversal affects. */
interface ReversalEffect {
  readonly entryId: string;
  readonly schedule: ReversalOfSchedule | null;
}

/** Restores the schedules that a reversal affects; schedules implement it. */
interface ReversedSchedules {
  ofReversal(tx: Transaction, original: EntryRow): Promise<ReversalOfSchedule | null>;
  lockReversed(tx: Transaction, entryId: string, schedule: ReversalOfSchedule | null): Promise<void>;
  followReversal(work: PlanWork, schedule: ReversalOfSchedule | null): Promise<void>;
}

interface HandlerServices {
  readonly books: Token<{ readonly journal: JournalReads; readonly settlements: Settlements }>;
  readonly scheduling: Token<{ readonly disposalUndo: ReversedSchedules }>;
}

/** The handlers that every ledger has. */
export const builtInHandlers = ({ books, scheduling }: HandlerServices): readonly Contribution[] => [
  ...journalTypes.map((eventType) =>
    contribute(eventHandlers, eventType, {
      services: { chart: chartOfAccounts },
      create: (use): Omit<EventHandler, 'key'> => ({
        displayName: 'Journal entry',
        plan: ({ tx, event }) => journalPlan(tx, use.chart, event),
      }),
    }),
  ),
  contribute(eventHandlers, 'journal_entry_reversed', {
    services: { books, scheduling },
    create: (use): Omit<EventHandler<ReversalEffect>, 'key'> => ({
      displayName: 'Reversal',
      // Published clients send the default currency with every event, so a reversal takes the currency of its entry
      // (L-60).
      currency: async ({ tx, event }) => {
        const id = event.metadata['entry_id'];
        if (event.currency !== defaultCurrency || typeof id !== 'string') return undefined;
        return (await use.books.journal.entry(tx, id))?.currency;
      },
      plan: async ({ tx, event, today }) => {
        const request = checked(() => readReversal(event.metadata, today));
        const original = await use.books.journal.entry(tx, request.entryId);
        if (original === undefined) throw notFound(`Journal entry not found: ${request.entryId}`);
        await requireReversible(original, await use.books.journal.reversalOf(tx, original.id));
        if (original.currency !== event.currency)
          throw invalidInput(`currency: the entry is in ${original.currency}; send the reversal in it too.`);
        const lines = (await use.books.journal.linesOf(tx, [original.id])).get(original.id) ?? [];
        return {
          effect: { entryId: original.id, schedule: await use.scheduling.disposalUndo.ofReversal(tx, original) },
          eventStatus: 'fulfilled',
          transactionId: original.transaction_id,
          // The original becomes 'reversed', in a month that may be closed (ledger L-150, L-61).
          alsoLocked: [original.posting_date],
          entries: [
            {
              postingDate: request.postingDate,
              memo: request.memo ?? `Reversal of journal entry ${original.id}`,
              type: 'reversing',
              status: 'posted',
              reversalOf: original.id,
              lines: reversed(
                lines.map((line) => ({
                  elementId: line.element_id,
                  debit: BigInt(line.debit_amount),
                  credit: BigInt(line.credit_amount),
                  description: line.description,
                  metadata: line.metadata,
                })),
              ),
            },
          ],
        };
      },
      lockFirst: async (tx, { entryId, schedule }) => {
        await use.scheduling.disposalUndo.lockReversed(tx, entryId, schedule);
        // The settlements of the first event of the chain must not change while they are undone (ledger L-100).
        await use.books.settlements.lockReversed(tx, entryId);
      },
      followUp: (work, { schedule }) => use.scheduling.disposalUndo.followReversal(work, schedule),
    }),
  }),
];

async function journalPlan(tx: Transaction, chart: ChartOfAccounts, event: HandledEvent): Promise<JournalPlan> {
  const journal = checked(() => readJournal(event.metadata));
  const { entries, unmapped } = await resolveAccounts(tx, chart, event, journal.entries);
  if (unmapped.length > 0) throw unresolved(event, unmapped);
  return {
    eventStatus: journal.status === 'posted' ? 'fulfilled' : 'classified',
    transactionId: journal.transactionId,
    entries: entries.map((entry) => ({ ...entry, status: journal.status, reversalOf: null })),
  };
}

/** Only posted entries can be reversed, and only once; a draft is changed or deleted instead (ledger L-61). */
async function requireReversible(
  original: { readonly id: string; readonly status: string },
  reversal: string | undefined,
): Promise<void> {
  if (reversal !== undefined) {
    throw invalidInput(
      `Journal entry ${original.id} already has a reversing entry (${reversal}); an entry is reversed at most once.`,
    );
  }
  if (original.status !== 'posted')
    throw invalidInput(`Journal entry ${original.id} is '${original.status}'; only posted entries can be reversed.`);
}

/** Runs a reader of metadata and turns its problem into a 422 refusal. */
export function checked<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof MetadataProblem)
      throw new ServiceError('invalid_input', 'INVALID_INPUT', error.message, { cause: error });
    throw error;
  }
}
