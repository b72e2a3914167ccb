import { answer, anything, defineRoute, kernel, notFound } from '@pacioli/core';
import { checkoutPage, outcomePage, pageHeaders, priceOf, sessionOf } from '../local/index.ts';
import { paymentPort } from '../payments/index.ts';

export default defineRoute({
  name: 'show-local-checkout',
  path: 'GET /_billing/checkout/{session_id}',
  summary: 'The checkout page of the embedded payment provider.',
  openapi: { id: 'show_local_checkout', tag: 'billing' },
  hidden: true,
  category: 'billing',
  auth: [],
  answers: { 200: anything() },
  fails: [404, 429, 500],
  services: { store: kernel.store, port: paymentPort },
  async handle({ params, ctx, use }) {
    if (use.port.provider !== 'local') throw notFound('There is no such page.');
    const page = await use.store.transaction('kernel', async (tx) => {
      const session = await sessionOf(tx, params.session_id);
      if (session === undefined) return undefined;
      if (session.state === 'complete') return outcomePage('paid', session.success_url);
      if (session.state === 'expired' || session.expires_at <= ctx.now()) return outcomePage('closed', undefined);
      const { label, amount_cents, currency } = await priceOf(tx, session.price);
      const facts = { label, amount_cents, currency, cancelUrl: session.cancel_url };
      return checkoutPage({ ...facts, wasDeclined: false });
    });
    return page === undefined
      ? answer(404, outcomePage('closed', undefined), pageHeaders)
      : answer(200, page, pageHeaders);
  },
});
