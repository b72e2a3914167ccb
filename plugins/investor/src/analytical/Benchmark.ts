import { defineNode } from '@pacioli/core';

/** Reserved for indexes that portfolios are compared with; never filled. */
export const Benchmark = defineNode('Benchmark', {
  extension: 'investor',
  properties: { symbol: 'STRING', name: 'STRING', description: 'STRING' },
});
