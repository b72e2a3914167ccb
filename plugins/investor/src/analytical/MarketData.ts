import { defineNode } from '@pacioli/core';

/** Reserved for prices of a day; never filled. */
export const MarketData = defineNode('MarketData', {
  extension: 'investor',
  properties: {
    date: 'DATE',
    open_price: 'DOUBLE',
    high_price: 'DOUBLE',
    low_price: 'DOUBLE',
    close_price: 'DOUBLE',
    volume: 'INT64',
    adjusted_close: 'DOUBLE',
  },
});
