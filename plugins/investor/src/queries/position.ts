import { defineQuery, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { investments } from '../investments.ts';
import { Position, positionView } from '../models/positions.ts';

export default defineQuery({
  name: 'position',
  summary: 'One position of any status; null if the graph does not have it.',
  args: model('PositionArgs', { position_id: Type.String() }),
  returns: nullable(Position),
  services: { investments },
  async resolve({ args, ctx, use }) {
    const row = await use.investments.positions.find(ctx.tx, args.position_id);
    if (row === undefined) return null;
    return positionView(row, await use.investments.issuers.summaries(ctx.tx, [row.issuer_id]));
  },
});
