import { anything, defineEvent, model } from '@pacioli/core';
import { Type } from 'typebox';

/** What the embedded payment provider has to tell; it reaches the deployment as any provider's webhook does. */
export default defineEvent(
  'billing.local-payment-news',
  model('LocalPaymentNews', { id: Type.String(), type: Type.String(), at: Type.String(), data: anything() }),
);
