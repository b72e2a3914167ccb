import { createToken, defineConfig, model, type TypeOf } from '@pacioli/core';
import { Type } from 'typebox';

const billingSettings = model(
  'BillingSettings',
  {
    enabled: Type.Boolean({
      default: false,
      description: 'Plans are billed; if off, everything can be created without a payment.',
    }),
  },
  { closed: true },
);

export type BillingSettings = TypeOf<typeof billingSettings>;

export const config = defineConfig(createToken<BillingSettings>('billing.config'), billingSettings);
