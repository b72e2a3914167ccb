import { defineQuery } from '@pacioli/core';

import { openBalances } from '../internal-tokens.ts';
import { OpenBalanceAggregate } from '../models/agents.ts';

export default defineQuery({
  name: 'openReceivables',
  summary: 'What customers have still to pay, in minor units.',
  returns: OpenBalanceAggregate,
  needs: { openBalances },
  async resolve({ ctx, use }) {
    return use.openBalances.total(ctx.tx, 'receivable');
  },
});
