// Written by `npm run gen`. Do not edit.
import type { PluginParts } from '@pacioli/core';
import bindTextBlock from './operations/bind-text-block.ts';
import createInformationBlock from './operations/create-information-block.ts';
import deleteInformationBlock from './operations/delete-information-block.ts';
import evaluateRules from './operations/evaluate-rules.ts';
import updateInformationBlock from './operations/update-information-block.ts';
import informationBlock from './queries/informationBlock.ts';
import informationBlocks from './queries/informationBlocks.ts';
import { Dimension } from './analytical/Dimension.ts';
import { FACT_HAS_DIMENSION } from './analytical/FACT_HAS_DIMENSION.ts';
import { FACT_HAS_ELEMENT } from './analytical/FACT_HAS_ELEMENT.ts';
import { FACT_HAS_PERIOD } from './analytical/FACT_HAS_PERIOD.ts';
import { FACT_HAS_UNIT } from './analytical/FACT_HAS_UNIT.ts';
import { FACT_SET_CONTAINS_FACT } from './analytical/FACT_SET_CONTAINS_FACT.ts';
import { Fact } from './analytical/Fact.ts';
import { FactSet } from './analytical/FactSet.ts';
import { Period } from './analytical/Period.ts';
import { STRUCTURE_HAS_FACT_SET } from './analytical/STRUCTURE_HAS_FACT_SET.ts';
import { Unit } from './analytical/Unit.ts';

export const all = {
  operations: [bindTextBlock, createInformationBlock, deleteInformationBlock, evaluateRules, updateInformationBlock],
  queries: [informationBlock, informationBlocks],
  nodes: [Dimension, Fact, FactSet, Period, Unit],
  relationships: [FACT_HAS_DIMENSION, FACT_HAS_ELEMENT, FACT_HAS_PERIOD, FACT_HAS_UNIT, FACT_SET_CONTAINS_FACT, STRUCTURE_HAS_FACT_SET],
} as const satisfies PluginParts;
