import { anything, defineEvent, model } from '@pacioli/core';
import { Type } from 'typebox';

/** A message of the embedded payment provider, delivered to the same webhook as messages of other providers. */
export default defineEvent(
  'billing.local-payment-news',
  model('LocalPaymentNews', { id: Type.String(), type: Type.String(), at: Type.String(), data: anything() }),
);
