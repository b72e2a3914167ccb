import { calendarDate, defineOperation, instant, model, nullable, oneOf, openObject } from '@pacioli/core';
import { Type } from 'typebox';
import { bookWrites } from '../books.ts';
import { type EntryRow, entryTypes, type LineRow, maxLinesPerEntry } from '../journal/index.ts';
import { maxAmount } from '../values/index.ts';

const text = () => Type.Optional(nullable(Type.String()));

/** Minor units. The schema allows negative amounts, because ledger L-45 words their refusal line by line. */
const cents = () => Type.Optional(Type.Integer({ default: 0, minimum: -maxAmount, maximum: maxAmount }));

const UpdateJournalEntryRequest = model('UpdateJournalEntryRequest', {
  entry_id: Type.String(),
  posting_date: Type.Optional(nullable(calendarDate())),
  memo: text(),
  type: Type.Optional(nullable(oneOf(entryTypes))),
  line_items: Type.Optional(
    nullable(
      Type.Array(
        model('JournalEntryLineItemInput', {
          element_id: Type.String(),
          debit_amount: cents(),
          credit_amount: cents(),
          description: text(),
          metadata: Type.Optional(nullable(openObject())),
        }),
        { maxItems: maxLinesPerEntry },
      ),
    ),
  ),
});

const JournalEntryResponse = model('JournalEntryResponse', {
  id: Type.String(),
  type: Type.String(),
  status: Type.String(),
  posting_date: calendarDate(),
  line_items: Type.Array(
    model('JournalEntryLineItemResponse', {
      id: Type.String(),
      element_id: Type.String(),
      debit_amount: Type.Integer(),
      credit_amount: Type.Integer(),
      line_order: Type.Integer(),
      description: text(),
    }),
  ),
  total_debit: Type.Integer(),
  total_credit: Type.Integer(),
  transaction_id: text(),
  memo: text(),
  provenance: text(),
  reversal_of: text(),
  posted_at: Type.Optional(nullable(instant())),
});

export default defineOperation({
  name: 'update-journal-entry',
  summary: 'Changes a draft of the journal; lines that are sent replace all of its lines.',
  role: 'member',
  openapi: { id: 'update_journal_entry', tag: 'extensions_robo_ledger' },
  input: UpdateJournalEntryRequest,
  output: JournalEntryResponse,
  mcp: {
    hint: 'Changes a draft of the journal; lines that are sent replace all of its lines.',
    destructive: true,
    idempotent: true,
    confirmation: 'Changes the draft entry; lines that are sent replace all of its lines.',
  },
  services: { bookWrites },
  stale: 'journal_entry_updated',
  errors: {
    NOT_FOUND: 'No journal entry of this graph has the id.',
    WRITE_CONFLICT: { kind: 'conflict', meaning: 'Another caller changed the entry first; send the request again.' },
    INVALID_INPUT:
      'The entry is not a draft, counts in a disposal, or its lines, accounts or month do not allow it; the message says which.',
  },

  async handle({ input, ctx, use }) {
    const { entry, lines } = await use.bookWrites.journalEditor.update(
      ctx.tx,
      {
        entryId: input.entry_id,
        postingDate: input.posting_date ?? undefined,
        // Null clears the memo, but no other field (ledger L-55).
        memo: input.memo,
        type: input.type ?? undefined,
        lines: input.line_items?.map((line) => ({
          elementId: line.element_id,
          debit: BigInt(line.debit_amount ?? 0),
          credit: BigInt(line.credit_amount ?? 0),
          description: line.description ?? null,
          metadata: line.metadata ?? null,
        })),
      },
      { userId: ctx.caller.userId, now: ctx.now() },
    );
    return entryResult(entry, lines);
  },
});

/** An entry as writes show it: amounts in minor units (ledger L-4). */
function entryResult(entry: EntryRow, lines: readonly LineRow[]) {
  return {
    id: entry.id,
    type: entry.type,
    status: entry.status,
    posting_date: entry.posting_date,
    line_items: lines.map(({ entry_id: _entry, metadata: _metadata, ...line }) => line),
    total_debit: lines.reduce((sum, line) => sum + line.debit_amount, 0),
    total_credit: lines.reduce((sum, line) => sum + line.credit_amount, 0),
    transaction_id: entry.transaction_id,
    memo: entry.memo,
    provenance: entry.provenance,
    reversal_of: entry.reversal_of,
    posted_at: entry.posted_at?.toISOString() ?? null,
  };
}
