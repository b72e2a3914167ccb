import { defineQuery } from '@pacioli/core';
import { Type } from 'typebox';
import { openBalances } from '../composition/internal-tokens.ts';
import { OpenBalanceByAgent } from '../models/agents.ts';

export default defineQuery({
  name: 'openReceivablesByAgent',
  summary: 'Open receivables by customer and currency, largest first, in minor units.',
  returns: Type.Array(OpenBalanceByAgent),
  services: { openBalances },
  cost: { points: 100 },
  async resolve({ ctx, use }) {
    return [...(await use.openBalances.byAgent(ctx.tx, 'receivable'))];
  },
});
