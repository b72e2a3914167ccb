import { createToken, defineConfig, model, oneOf, type TypeOf } from '@pacioli/core';
import { Type } from 'typebox';
import { rankings } from './vectors/index.ts';

const memorySettings = model(
  'MemorySettings',
  {
    enabled: Type.Boolean({
      default: true,
      description: 'Offers semantic memory; without it, its operations and reads answer 503.',
    }),
    ranking: oneOf(rankings, {
      default: 'similarity',
      description:
        'Ranks recalled memories by similarity, or blended: by similarity, by age and by the importance that their ' +
        'provenance states.',
    }),
  },
  { closed: true },
);

export type MemorySettings = TypeOf<typeof memorySettings>;

/** The configuration of the plugin (ME-2, ME-10, ME-11). */
export const config = defineConfig(createToken<MemorySettings>('memory.config'), memorySettings);
