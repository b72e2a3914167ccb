import { defineOperation } from '@pacioli/core';
import { journalEditor } from '../composition/internal-tokens.ts';
import { entryResult, JournalEntryResponse, UpdateJournalEntryRequest } from '../models/journal-entry.ts';

export default defineOperation({
  name: 'update-journal-entry',
  summary: 'Changes a draft of the journal; lines that are sent replace all of its lines.',
  role: 'member',
  openapi: { id: 'update_journal_entry', tag: 'extensions_robo_ledger' },
  input: UpdateJournalEntryRequest,
  output: JournalEntryResponse,
  services: { journalEditor },
  stale: 'journal_entry_updated',
  errors: {
    NOT_FOUND: 'No journal entry of this graph has the id.',
    WRITE_CONFLICT: { kind: 'conflict', meaning: 'Another caller changed the entry first; send the request again.' },
    INVALID_INPUT:
      'The entry is not a draft, counts in a disposal, or its lines, accounts or month do not allow it; the message says which.',
  },

  async handle({ input, ctx, use }) {
    const { entry, lines } = await use.journalEditor.update(
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
