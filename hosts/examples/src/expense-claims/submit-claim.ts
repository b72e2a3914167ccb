import { calendarDate, defineOperation, kernel, model, sql } from '@pacioli/core';
import { Type } from 'typebox';

export default defineOperation({
  name: 'submit-claim',
  summary: 'Submits an expense claim.',
  role: 'member',
  openapi: { id: 'submit_claim', tag: 'expense_claims' },
  mcp: { hint: 'Submits an expense claim for approval.' },
  input: model('SubmitClaimRequest', {
    day: calendarDate({ description: 'the day of the expense, which is that of the entry' }),
    amount_cents: Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'in minor units' }),
    expense_account_id: Type.String({ maxLength: 100, description: 'the account that is debited' }),
    payable_account_id: Type.String({ maxLength: 100, description: 'the account that is credited' }),
  }),
  output: model('SubmitClaimResponse', { claim_id: Type.String() }),
  services: { ids: kernel.ids },
  async handle({ input, ctx, use }) {
    const id = use.ids.make('claim');
    await ctx.tx.query(sql`
      INSERT INTO expense_claims_claim (graph_id, id, day, amount, expense_account_id, payable_account_id)
      VALUES (${ctx.graph.id}, ${id}, ${input.day}, ${input.amount_cents}, ${input.expense_account_id},
        ${input.payable_account_id})`);
    return { claim_id: id };
  },
});
