import { defineOperation, model, notFound, ServiceError, sql } from '@pacioli/core';
import { bookkeeping, bookkeepingErrors } from '@pacioli/ledger';
import { Type } from 'typebox';

interface Claim {
  readonly day: string;
  readonly amount: number;
  readonly expense_account_id: string;
  readonly payable_account_id: string;
  readonly entry_id: string | null;
}

export default defineOperation({
  name: 'approve-claim',
  summary: 'Approves an expense claim and posts it, in one transaction.',
  role: 'member',
  openapi: { id: 'approve_claim', tag: 'expense_claims' },
  mcp: { held: 'A person approves what is paid.' },
  input: model('ApproveClaimRequest', {
    claim_id: Type.String({ maxLength: 100, description: 'the id that submit-claim returned' }),
  }),
  output: model('ApproveClaimResponse', { entry_id: Type.String() }),
  services: { bookkeeping },
  errors: {
    ...bookkeepingErrors.post,
    CLAIM_NOT_OPEN: { kind: 'conflict', meaning: 'The claim has been approved.' },
  },
  async handle({ input, ctx, use }) {
    const [claim] = await ctx.tx.query(sql<Claim>`
      SELECT day, amount, expense_account_id, payable_account_id, entry_id FROM expense_claims_claim
      WHERE graph_id = ${ctx.graph.id} AND id = ${input.claim_id} FOR UPDATE`);
    if (claim === undefined) throw notFound(`There is no claim '${input.claim_id}'.`);
    if (claim.entry_id !== null) throw new ServiceError('conflict', 'CLAIM_NOT_OPEN', 'The claim has been approved.');
    const amount = BigInt(claim.amount);
    const { entries } = await use.bookkeeping.post(
      ctx.tx,
      {
        source: 'expense_claims',
        // Posts once, whatever is repeated.
        reference: input.claim_id,
        postingDate: claim.day,
        memo: `Expense claim ${input.claim_id}`,
        lines: [
          { accountId: claim.expense_account_id, debit: amount },
          { accountId: claim.payable_account_id, credit: amount },
        ],
      },
      { userId: ctx.caller.userId, now: ctx.now() },
    );
    const [entry] = entries;
    if (entry === undefined) throw new Error('A posted event has an entry.');
    await ctx.tx.query(sql`
      UPDATE expense_claims_claim SET entry_id = ${entry.id}
      WHERE graph_id = ${ctx.graph.id} AND id = ${input.claim_id}`);
    return { entry_id: entry.id };
  },
});
