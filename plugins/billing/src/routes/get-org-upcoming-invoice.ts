import { anything, defineRoute } from '@pacioli/core';
import { billing } from '../providers.ts';
import { providerFails } from '../subscriptions/index.ts';

export default defineRoute({
  name: 'get-org-upcoming-invoice',
  path: 'GET /v1/billing/invoices/{org_id}/upcoming',
  summary: 'The next charge of an organization, or null if nothing is due.',
  openapi: { id: 'get_org_upcoming_invoice', tag: 'billing' },
  category: 'billing',
  auth: ['api-key', 'bearer'],
  answers: { 200: anything() },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { billing },
  errors: providerFails,
  async handle({ params, ctx, use }) {
    return use.billing.invoiceReads.upcoming(ctx.caller, params.org_id);
  },
});
