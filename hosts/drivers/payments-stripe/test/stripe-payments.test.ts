import { describePaymentPort, type PaymentHarness, type RawMessage } from '@pacioli/billing/testing';
import Stripe from 'stripe';
import { stripePayments } from '../src/index.ts';
import { StripeDouble } from './stripe-double.ts';

const secretKey = 'sk_test_double';
const webhookSecret = 'whsec_double';

describePaymentPort('stripe', async (): Promise<PaymentHarness> => {
  const double = new StripeDouble(secretKey);
  const server = await double.start();
  const signer = new Stripe(secretKey).webhooks;
  const signed = (event: object): RawMessage => {
    const rawBody = JSON.stringify(event);
    const header = signer.generateTestHeaderString({ payload: rawBody, secret: webhookSecret });
    return { rawBody, headers: { 'stripe-signature': header } };
  };
  const message = ({ type, object }: { type: string; object: object }): RawMessage => {
    const { state } = double;
    return signed({ id: state.id('evt'), object: 'event', type, created: state.now(), data: { object } });
  };
  return {
    port: stripePayments({ secretKey, webhookSecret, server }),
    pay: async (sessionId) => double.state.pay(sessionId),
    spoilCard: async (customer) => {
      double.state.customer(customer).card = 'declined';
    },
    messages: async () => double.state.events.splice(0).map(message),
    strangeMessage: async () => message({ type: 'star.fell', object: {} }),
    close: () => double.close(),
  };
});
