import { type Contribution, createToken, type Provider, provide, schemaValidator } from '@pacioli/core';
import { debtKinds } from './debt-kinds.ts';
import { equityKinds } from './equity-kinds.ts';
import { instruments, registerInstrument } from './instrument.ts';
import { InstrumentTerms } from './instrument-terms.ts';
import { rightKinds } from './right-kinds.ts';

/** Validates the terms of securities by the instrument kinds of the deployment. */
export const instrumentTerms = createToken<InstrumentTerms>('investor.instrument-terms');

export const providers: readonly Provider[] = [
  provide(instrumentTerms, {
    services: { instruments, validator: schemaValidator },
    create: (use) => new InstrumentTerms(use),
  }),
];

/** The instrument kinds that the plugin knows. */
export const contributions: readonly Contribution[] = [...equityKinds, ...rightKinds, ...debtKinds].map(
  registerInstrument,
);
