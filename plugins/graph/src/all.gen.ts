// Written by `npm run gen`. Do not edit.
import type { PluginParts } from '@pacioli/core';
import materialize from './operations/materialize.ts';
import executeCypher from './routes/execute-cypher.ts';
import getGraphSchema from './routes/get-graph-schema.ts';

export const all = {
  operations: [materialize],
  routes: [executeCypher, getGraphSchema],
} as const satisfies PluginParts;
