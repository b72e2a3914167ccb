import { defineField, model, sql } from '@pacioli/core';
import { Type } from 'typebox';

/** `{ accounts { accounts { code openClaims } } }` */
export default defineField({
  on: 'Account',
  name: 'openClaims',
  summary: 'The number of claims on the account that are not approved.',
  parent: model('AccountOfClaims', { id: Type.String() }),
  returns: Type.Integer(),
  // Once for all accounts of a response.
  async resolve({ parents, ctx }) {
    const ids = parents.map(({ id }) => id);
    const rows = await ctx.tx.query(sql<{ account_id: string; claims: number }>`
      SELECT expense_account_id AS account_id, count(*)::integer AS claims FROM expense_claims_claim
      WHERE graph_id = ${ctx.graph.id} AND entry_id IS NULL AND expense_account_id = ANY (${ids}::text[])
      GROUP BY expense_account_id`);
    const counts = new Map(rows.map((row) => [row.account_id, row.claims]));
    return ids.map((id) => counts.get(id) ?? 0);
  },
});
