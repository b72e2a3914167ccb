import { defineRelationship } from '@pacioli/core';
import { Benchmark } from './Benchmark.ts';
import { Portfolio } from './Portfolio.ts';

/** Reserved; never filled. */
export const PORTFOLIO_BENCHMARKED_AGAINST = defineRelationship('PORTFOLIO_BENCHMARKED_AGAINST', Portfolio, Benchmark, {
  extension: 'investor',
  properties: { benchmark_weight: 'DOUBLE' },
});
