import { answer, anything, defineRoute, kernel, notFound, ServiceError } from '@pacioli/core';
import { checkoutPage, outcomePage, pageHeaders, priceOf, testCards } from '../local/index.ts';
import { paymentPort } from '../payments/index.ts';
import { localProvider } from '../providers.ts';

export default defineRoute({
  name: 'pay-local-checkout',
  path: 'POST /_billing/checkout/{session_id}',
  summary: 'Pays a checkout of the embedded payment provider with a test card.',
  openapi: { id: 'pay_local_checkout', tag: 'billing' },
  hidden: true,
  category: 'billing',
  auth: [],
  rawBody: true,
  answers: { 200: anything() },
  fails: [400, 404, 429, 500],
  services: { store: kernel.store, port: paymentPort, localProvider },
  async handle({ params, ctx, use }) {
    if (use.port.provider !== 'local') throw notFound('There is no such page.');
    const chosen = new URLSearchParams(ctx.rawBody).get('card');
    const card = testCards.find((known) => known === chosen);
    if (card === undefined) {
      throw new ServiceError('refused', 'INVALID_INPUT', `Choose a test card: ${testCards.join(', ')}.`);
    }
    const { outcome, session } = await use.localProvider.charges.pay(params.session_id, card);
    if (session === undefined) return answer(404, outcomePage('closed', undefined), pageHeaders);
    // Redirects with 303, so that reloading the page does not pay again.
    if (outcome === 'paid') return answer(303, '', { ...pageHeaders, Location: session.success_url });
    if (outcome === 'closed') return answer(409, outcomePage('closed', undefined), pageHeaders);
    const price = await use.store.transaction('kernel', (tx) => priceOf(tx, session.price));
    const { label, amount_cents, currency } = price;
    const facts = { label, amount_cents, currency, cancelUrl: session.cancel_url };
    return answer(402, checkoutPage({ ...facts, wasDeclined: true }), pageHeaders);
  },
});
