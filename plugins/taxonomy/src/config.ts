import { createToken, defineConfig, model, type TypeOf } from '@pacioli/core';
import { Type } from 'typebox';

const taxonomySettings = model(
  'TaxonomySettings',
  {
    authoringEnabled: Type.Boolean({
      default: true,
      description: 'Users may author their own reporting extensions and vocabularies.',
    }),
  },
  { closed: true },
);

type TaxonomySettings = TypeOf<typeof taxonomySettings>;

/** The configuration of the plugin (taxonomy T-5). */
export const config = defineConfig(createToken<TaxonomySettings>('taxonomy.config'), taxonomySettings);
