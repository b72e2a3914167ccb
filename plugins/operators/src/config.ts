import { createToken, defineConfig, model, type TypeOf } from '@pacioli/core';
import { Type } from 'typebox';

const operatorSettings = model(
  'OperatorSettings',
  {
    enabled: Type.Boolean({
      default: true,
      description: 'Operators can be started; if off, they can only be listed.',
    }),
    inlineGraceMs: Type.Integer({
      default: 0,
      minimum: 0,
      maximum: 50_000,
      description:
        'Milliseconds that a request waits for the answer of an operator before it is told where to follow it.',
    }),
    authorMaxCredits: Type.Integer({
      default: 500,
      minimum: 1,
      maximum: 1_000_000,
      description:
        'The credits after which a run of the author answers from what it has, unless the request has a number.',
    }),
  },
  { closed: true },
);

export type OperatorSettings = TypeOf<typeof operatorSettings>;

export const config = defineConfig(createToken<OperatorSettings>('operators.config'), operatorSettings);
