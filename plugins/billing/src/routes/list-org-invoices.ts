import { defineRoute, model } from '@pacioli/core';
import { Type } from 'typebox';
import invoicesResponse from '../models/InvoicesResponse.ts';
import { billing } from '../providers.ts';
import { providerFails } from '../subscriptions/index.ts';

export default defineRoute({
  name: 'list-org-invoices',
  path: 'GET /v1/billing/invoices/{org_id}',
  summary: 'The invoices of an organization, newest first.',
  openapi: { id: 'list_org_invoices', tag: 'billing' },
  category: 'billing',
  auth: ['api-key', 'bearer'],
  query: model('ListOrgInvoicesQuery', {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10 })),
  }),
  answers: { 200: invoicesResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { billing },
  errors: providerFails,
  async handle({ params, query, ctx, use }) {
    return use.billing.invoiceReads.invoices(ctx.caller, params.org_id, query.limit ?? 10);
  },
});
