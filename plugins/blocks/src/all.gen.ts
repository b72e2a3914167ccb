// Written by `npm run gen`. Do not edit.
import type { PluginParts } from '@pacioli/core';
import evaluateRules from './operations/evaluate-rules.ts';

export const all = {
  operations: [evaluateRules],
} as const satisfies PluginParts;
