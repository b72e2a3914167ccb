import { serviceOffering } from '../credits/service-offering.ts';
import { tokenPrices } from '../credits/token-prices.ts';
import { answer, defineRoute } from '../define/route.ts';
import { graphEngine } from '../graph-schema/index.ts';
import serviceOfferingsResponse from '../models/ServiceOfferingsResponse.ts';
import { kernelSettings } from '../settings/kernel-settings.ts';
import { offeredRepositories } from '../tenancy/offered-repositories.ts';
import { planBilling } from '../tenancy/plan-billing.ts';

const keptSeconds = 300;

export default defineRoute({
  name: 'get-service-offerings',
  path: 'GET /v1/offering',
  summary: 'Returns the graph tiers and shared repositories with their prices.',
  openapi: { id: 'get_service_offerings', tag: 'service_offerings' },
  category: 'status',
  // The route is public and the response is the same for everybody: one limit per address (platform R-6).
  limit: { maxCalls: 60, seconds: 60, per: 'ip' },
  auth: [],
  answers: { 200: serviceOfferingsResponse },
  fails: [400, 429, 500],
  services: {
    settings: kernelSettings,
    engine: graphEngine,
    prices: tokenPrices,
    repositories: offeredRepositories,
    billing: planBilling,
  },
  async handle({ use }) {
    return answer(200, serviceOffering(use), { 'Cache-Control': `public, max-age=${keptSeconds}` });
  },
});
