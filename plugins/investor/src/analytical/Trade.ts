import { defineNode } from '@pacioli/core';

/** Reserved for purchases and sales; never filled. */
export const Trade = defineNode('Trade', {
  extension: 'investor',
  properties: {
    trade_type: 'STRING',
    quantity: 'DOUBLE',
    price: 'DOUBLE',
    total_amount: 'DOUBLE',
    trade_date: 'DATE',
    settlement_date: 'DATE',
  },
});
