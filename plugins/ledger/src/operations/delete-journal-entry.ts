import { defineOperation, model } from '@pacioli/core';
import { Type } from 'typebox';
import { bookWrites } from '../books.ts';

export default defineOperation({
  name: 'delete-journal-entry',
  summary: 'Deletes a draft of the journal with its lines.',
  role: 'member',
  effect: 'destructive',
  openapi: { id: 'delete_journal_entry', tag: 'extensions_robo_ledger' },
  input: model(
    'DeleteJournalEntryRequest',
    { entry_id: Type.String() },
    {
      fields: {
        entry_id: 'A draft; posted entries are reversed instead.',
      },
    },
  ),
  output: model('DeleteResult', { deleted: Type.Boolean() }),
  mcp: {
    hint: 'Deletes a draft of the journal; posted entries are reversed instead.',
    destructive: true,
    idempotent: true,
    confirmation: 'Deletes the draft entry with its lines.',
  },
  services: { bookWrites },
  stale: 'journal_entry_deleted',
  errors: {
    NOT_FOUND: 'No journal entry of this graph has the id.',
    WRITE_CONFLICT: { kind: 'conflict', meaning: 'Another caller changed the entry first; send the request again.' },
    INVALID_INPUT:
      'The entry is not a draft, is the last one of its event, reverses another or counts in a disposal, or its month is closed; the message says which.',
  },

  async handle({ input, ctx, use }) {
    await use.bookWrites.journalEditor.remove(ctx.tx, input.entry_id, { userId: ctx.caller.userId, now: ctx.now() });
    return { deleted: true };
  },
});
