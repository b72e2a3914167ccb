import { defineRoute, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { billing } from '../providers.ts';
import { providerFails } from '../subscriptions/index.ts';

const portalSessionResponse = model('PortalSessionResponse', {
  portal_url: Type.Optional(nullable(Type.String())),
  billing_disabled: Type.Optional(Type.Boolean({ default: false })),
});

export default defineRoute({
  name: 'create-portal-session',
  path: 'POST /v1/billing/customer/{org_id}/portal',
  summary: "A link to the payment provider's page for cards and bills.",
  openapi: { id: 'create_portal_session', tag: 'billing' },
  category: 'billing',
  auth: ['api-key', 'bearer'],
  answers: { 200: portalSessionResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { billing },
  errors: providerFails,
  async handle({ params, ctx, use }) {
    const url = await use.billing.invoiceReads.portal(ctx.caller, params.org_id, ctx.requestId);
    return { portal_url: url ?? null, billing_disabled: url === undefined };
  },
});
