// Written by `npm run gen`. Do not edit.
import type { PluginParts } from '@pacioli/core';
import liveFinancialStatement from './views/live-financial-statement.ts';

export const all = {
  views: [liveFinancialStatement],
} as const satisfies PluginParts;
