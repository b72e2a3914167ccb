import { calendarDate, instant, model, nullable, oneOf, openObject } from '@pacioli/core';
import { Type } from 'typebox';
import { type EntryRow, entryTypes, type LineRow, maxLinesPerEntry } from '../journal/index.ts';
import { maxAmount } from '../values/index.ts';

const text = () => Type.Optional(nullable(Type.String()));
/** Minor units. The schema allows negative amounts, because ledger L-45 words their refusal line by line. */
const cents = () => Type.Optional(Type.Integer({ default: 0, minimum: -maxAmount, maximum: maxAmount }));

export const UpdateJournalEntryRequest = model('UpdateJournalEntryRequest', {
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

export const JournalEntryResponse = model('JournalEntryResponse', {
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

/** An entry as writes show it: amounts in minor units (ledger L-4). */
export function entryResult(entry: EntryRow, lines: readonly LineRow[]) {
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
