// Written by `npm run gen`. Do not edit.
import type { PluginParts } from '@pacioli/core';
import forget from './operations/forget.ts';
import remember from './operations/remember.ts';
import updateMemory from './operations/update-memory.ts';
import getMemory from './routes/get-memory.ts';
import listMemories from './routes/list-memories.ts';
import recallMemory from './routes/recall-memory.ts';
import recall from './tools/recall.ts';
import embedMemories from './jobs/embed-memories.ts';

export const all = {
  operations: [forget, remember, updateMemory],
  routes: [getMemory, listMemories, recallMemory],
  tools: [recall],
  jobs: [embedMemories],
} as const satisfies PluginParts;
