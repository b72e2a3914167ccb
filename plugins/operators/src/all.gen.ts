// Written by `npm run gen`. Do not edit.
import type { PluginParts } from '@pacioli/core';
import autoSelectOperator from './routes/auto-select-operator.ts';
import executeSpecificOperator from './routes/execute-specific-operator.ts';
import getOperatorMetadata from './routes/get-operator-metadata.ts';
import listOperators from './routes/list-operators.ts';
import runOperator from './runs/run-operator.ts';
import runWritingOperator from './runs/run-writing-operator.ts';

export const all = {
  routes: [autoSelectOperator, executeSpecificOperator, getOperatorMetadata, listOperators],
  runs: [runOperator, runWritingOperator],
} as const satisfies PluginParts;
