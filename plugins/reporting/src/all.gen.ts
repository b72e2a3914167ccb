// Written by `npm run gen`. Do not edit.
import type { PluginParts } from '@pacioli/core';
import assertMetrics from './operations/assert-metrics.ts';
import computeMetrics from './operations/compute-metrics.ts';
import liveFinancialStatement from './views/live-financial-statement.ts';

export const all = {
  operations: [assertMetrics, computeMetrics],
  views: [liveFinancialStatement],
} as const satisfies PluginParts;
