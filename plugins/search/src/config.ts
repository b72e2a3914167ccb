import { createToken, defineConfig, model, type TypeOf } from '@pacioli/core';
import { Type } from 'typebox';

const searchSettings = model(
  'SearchSettings',
  {
    enabled: Type.Boolean({
      default: true,
      description:
        'Documents can be stored and searched; if off, their writes and searches answer 503, but stored documents can be read.',
    }),
  },
  { closed: true },
);

export type SearchSettings = TypeOf<typeof searchSettings>;

export const config = defineConfig(createToken<SearchSettings>('search.config'), searchSettings);
