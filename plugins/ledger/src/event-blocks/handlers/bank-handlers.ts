import { type Contribution, contribute, invalidInput } from '@pacioli/core';
import type { HandledEvent, JournalPlan } from '../../journal/index.ts';
import { eventHandlers } from '../../tokens.ts';
import { problemOfPostingDate } from '../../values/index.ts';
import type { EventHandler } from '../event-handler.ts';
import { type BankChoice, BankProblem, bankChoice, missingChoice } from './bank-line.ts';

/** Limit of the memo of a bank line (ledger L-93). */
const maxMemoChars = 255;

/** A bank line is never published to a provider (ledger L-93). */
const eventMetadata = { publish_to_source: false } as const;

/** Handlers of bank lines; a user or a rule of the tenant chooses the contra account (ledger L-91 to L-95). */
export const bankHandlers: readonly Contribution[] = [
  'bank_transaction',
  'bank_fee',
  'external_transfer',
  'internal_transfer',
].map((eventType) =>
  contribute(eventHandlers, eventType, {
    create: (): Omit<EventHandler, 'key'> => ({
      displayName: 'Bank line',
      eventMetadata,
      plan: async ({ event }) => {
        const choice = choiceOf(event);
        return choice === undefined ? undefined : planOf(event, choice);
      },
      classified: (event) => {
        const choice = choiceOf(event);
        if (choice === undefined) throw invalidInput(missingChoice(event.eventType));
        return planOf(event, choice);
      },
    }),
  }),
);

function choiceOf(event: HandledEvent): BankChoice | undefined {
  try {
    return bankChoice({
      eventType: event.eventType,
      bankElementId: event.resourceElementId,
      amount: event.amount,
      date: (event.effectiveAt ?? event.occurredAt).slice(0, 10),
      metadata: event.metadata,
    });
  } catch (error) {
    if (error instanceof BankProblem) throw invalidInput(error.message);
    throw error;
  }
}

function planOf(event: HandledEvent, choice: BankChoice): JournalPlan {
  const problem = problemOfPostingDate(choice.postingDate);
  if (problem !== undefined) throw invalidInput(`The date of the bank line: ${problem}`);
  const rest = { description: null, metadata: null };
  return {
    eventStatus: 'classified',
    transactionId: null,
    eventMetadata,
    entries: [
      {
        postingDate: choice.postingDate,
        memo: event.description?.slice(0, maxMemoChars) ?? null,
        type: 'standard',
        status: 'draft',
        reversalOf: null,
        lines: [
          ...choice.debits.map(({ elementId, amount }) => ({ elementId, debit: amount, credit: 0n, ...rest })),
          ...choice.credits.map(({ elementId, amount }) => ({ elementId, debit: 0n, credit: amount, ...rest })),
        ],
      },
    ],
  };
}
