import { contribute, defineOperation, model } from '@pacioli/core';
import { bookkeeping, bookkeepingErrors, bookkeepingSources } from '@pacioli/ledger';
import { Type } from 'typebox';

export const claimSource = contribute(bookkeepingSources, 'expense_claims', {
  create: () => ({ title: 'Expense claims' }),
});

export const payClaim = defineOperation({
  name: 'pay-claim',
  summary: 'Posts an expense claim.',
  role: 'member',
  openapi: { id: 'pay_claim', tag: 'claims' },
  mcp: { held: 'A person decides what is paid.' },
  input: model('PayClaimRequest', {
    claim_id: Type.String(),
    day: Type.String(),
    amount_cents: Type.Integer({ minimum: 1 }),
    expense_account_id: Type.String(),
    payable_account_id: Type.String(),
  }),
  output: model('PayClaimResponse', { entry_id: Type.String() }),
  services: { bookkeeping },
  errors: bookkeepingErrors.post,
  async handle({ input, ctx, use }) {
    const amount = BigInt(input.amount_cents);
    const { entries } = await use.bookkeeping.post(
      ctx.tx,
      {
        source: 'expense_claims',
        reference: input.claim_id,
        postingDate: input.day,
        memo: `Expense claim ${input.claim_id}`,
        lines: [
          { accountId: input.expense_account_id, debit: amount },
          { accountId: input.payable_account_id, credit: amount },
        ],
      },
      { userId: ctx.caller.userId, now: ctx.now() },
    );
    return { entry_id: entries[0]?.id ?? '' };
  },
});
