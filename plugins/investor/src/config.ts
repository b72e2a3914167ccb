import { createToken, defineConfig, model, oneOf, type TypeOf } from '@pacioli/core';
import { Type } from 'typebox';
import { termsModes } from './terms/index.ts';

const investorSettings = model(
  'InvestorSettings',
  {
    termsValidation: oneOf(termsModes, {
      default: 'known-keys',
      description:
        'Checks the terms of securities: known-keys checks the type and range of the keys that an instrument knows; ' +
        'strict also refuses other keys and requires the essential ones.',
    }),
    lenientShares: Type.Boolean({
      default: false,
      description: 'Accepts more outstanding than authorized shares of a security, with a warning in the log.',
    }),
  },
  { closed: true },
);

export type InvestorSettings = TypeOf<typeof investorSettings>;

/** The configuration of the plugin (T-1, S-6). */
export const config = defineConfig(createToken<InvestorSettings>('investor.config'), investorSettings);
