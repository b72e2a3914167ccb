import { createToken, defineConfig, model, oneOf, type TypeOf } from '@pacioli/core';
import { Type } from 'typebox';

const reportingSettings = model(
  'ReportingSettings',
  {
    fileGate: Type.Boolean({
      default: true,
      description: 'A report is not filed while a check of its statements or a rule of severity error fails.',
    }),
    bundleValidation: oneOf(['off', 'warn', 'strict'], {
      default: 'warn',
      description: 'Checks reports against the shapes of their format; strict refuses those that do not conform.',
    }),
    vocabularyBase: Type.String({
      pattern: '^https?://[A-Za-z0-9.:_-]+(/[A-Za-z0-9._~-]+)*$',
      maxLength: 200,
      default: 'https://vocab.example.org',
      description: 'The address below which reports name their own resources and the vocabulary of their format.',
    }),
    maxSharedFacts: Type.Integer({
      minimum: 1,
      maximum: 200_000,
      default: 200_000,
      description: 'Facts of a report that can be shared.',
    }),
    maxSharedConcepts: Type.Integer({
      minimum: 1,
      maximum: 20_000,
      default: 20_000,
      description: 'Concepts of reporting extensions that cross with a report that is shared.',
    }),
    maxSharedFileBytes: Type.Integer({
      minimum: 1,
      maximum: 64 * 1024 * 1024,
      default: 64 * 1024 * 1024,
      description: 'Size of the file of a report that can be shared.',
    }),
    maxFactsSharedAtOnce: Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      default: 20_000,
      description:
        'Facts times recipients that share-report delivers within the request; a worker delivers more, with progress.',
    }),
  },
  { closed: true },
);

export type ReportingSettings = TypeOf<typeof reportingSettings>;

/** The configuration of the plugin (P-12, P-21, 13.2, investor X-2). */
export const config = defineConfig(createToken<ReportingSettings>('reporting.config'), reportingSettings);
