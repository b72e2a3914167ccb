// Written by `npm run gen`. Do not edit.
import type { PluginParts } from '@pacioli/core';
import bindTextBlock from './operations/bind-text-block.ts';
import createInformationBlock from './operations/create-information-block.ts';
import deleteInformationBlock from './operations/delete-information-block.ts';
import evaluateRules from './operations/evaluate-rules.ts';
import updateInformationBlock from './operations/update-information-block.ts';
import informationBlock from './queries/informationBlock.ts';
import informationBlocks from './queries/informationBlocks.ts';

export const all = {
  operations: [bindTextBlock, createInformationBlock, deleteInformationBlock, evaluateRules, updateInformationBlock],
  queries: [informationBlock, informationBlocks],
} as const satisfies PluginParts;
