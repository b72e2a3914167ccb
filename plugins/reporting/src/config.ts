import { createToken, defineConfig, model, type TypeOf } from '@pacioli/core';
import { Type } from 'typebox';

const reportingSettings = model(
  'ReportingSettings',
  {
    fileGate: Type.Boolean({
      default: true,
      description: 'A report is not filed while a rule of severity error fails in it.',
    }),
  },
  { closed: true },
);

type ReportingSettings = TypeOf<typeof reportingSettings>;

/** The configuration of the plugin (P-21). */
export const config = defineConfig(createToken<ReportingSettings>('reporting.config'), reportingSettings);
