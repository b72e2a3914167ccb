import { defineQuery } from '@pacioli/core';

import { openBalances } from '../composition/internal-tokens.ts';
import { OpenBalanceAggregate } from '../models/agents.ts';

export default defineQuery({
  name: 'openReceivables',
  summary: 'What customers have still to pay, in minor units.',
  returns: OpenBalanceAggregate,
  services: { openBalances },
  async resolve({ ctx, use }) {
    const { total, foreign } = await use.openBalances.total(ctx.tx, 'receivable');
    // Ledger L-5: the answer has one currency; openReceivablesByAgent has the others as well.
    if (foreign.length > 0) ctx.log.warn('Open events in foreign currencies are left out of a total.', { foreign });
    return total;
  },
});
