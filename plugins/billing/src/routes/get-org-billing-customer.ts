import { defineRoute } from '@pacioli/core';
import billingCustomer from '../models/BillingCustomer.ts';
import { billing } from '../providers.ts';
import { providerFails } from '../subscriptions/index.ts';

export default defineRoute({
  name: 'get-org-billing-customer',
  path: 'GET /v1/billing/customer/{org_id}',
  summary: 'The billing details of an organization; only its owner sees payment methods.',
  openapi: { id: 'get_org_billing_customer', tag: 'billing' },
  category: 'billing',
  auth: ['api-key', 'bearer'],
  answers: { 200: billingCustomer },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { billing },
  errors: providerFails,
  async handle({ params, ctx, use }) {
    return use.billing.invoiceReads.customer(ctx.caller, params.org_id);
  },
});
