import { answer, anything, defineRoute, kernel, sql } from '@pacioli/core';
import { customerOf, digestOf, outcomePage, pageHeaders, portalPage } from '../local/index.ts';
import type { BillingLocalPortal, BillingLocalPrice, BillingLocalSubscription } from '../rows.gen.ts';

/** The maximum number of subscriptions on the page. */
const maxRows = 100;

export default defineRoute({
  name: 'show-local-portal',
  path: 'GET /_billing/portal/{token}',
  summary: 'The customer portal of the embedded payment provider.',
  openapi: { id: 'show_local_portal', tag: 'billing' },
  hidden: true,
  category: 'billing',
  auth: [],
  answers: { 200: anything() },
  fails: [404, 429, 500],
  services: { store: kernel.store },
  async handle({ params, ctx, use }) {
    const page = await use.store.transaction('kernel', async (tx) => {
      const [portal] = await tx.query(sql<Pick<BillingLocalPortal, 'customer'>>`
        SELECT customer FROM billing_local_portal
        WHERE digest = ${digestOf(params.token)} AND expires_at > ${ctx.now()}`);
      if (portal === undefined) return undefined;
      const { name, email, card } = await customerOf(tx, portal.customer);
      const rows = await tx.query(sql<
        Pick<BillingLocalPrice, 'label'> & Pick<BillingLocalSubscription, 'status' | 'period_end'>
      >`
        SELECT p.label, s.status, s.period_end FROM billing_local_subscription s
        JOIN billing_local_price p ON p.id = s.price
        WHERE s.customer = ${portal.customer} ORDER BY s.period_end DESC LIMIT ${maxRows}`);
      const subscriptions = rows.map(({ label, status, period_end }) => ({ label, status, periodEnd: period_end }));
      return portalPage({ name, email, card, subscriptions });
    });
    return page === undefined
      ? answer(404, outcomePage('closed', undefined), pageHeaders)
      : answer(200, page, pageHeaders);
  },
});
