import { defineQuery, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { investments } from '../investments.ts';
import { Security, securityView } from '../models/securities.ts';

export default defineQuery({
  name: 'security',
  summary: 'One security, active or not; null if the graph does not have it.',
  args: model('SecurityArgs', { security_id: Type.String() }),
  returns: nullable(Security),
  services: { investments },
  async resolve({ args, ctx, use }) {
    const row = await use.investments.securities.find(ctx.tx, args.security_id);
    if (row === undefined) return null;
    return securityView(row, await use.investments.issuers.summaries(ctx.tx, [row.entity_id]));
  },
});
