import { tokenPrices } from '../credits/token-prices.ts';
import { answer, defineRoute } from '../define/route.ts';
import serviceOfferingsResponse from '../models/ServiceOfferingsResponse.ts';
import { kernelSettings } from '../settings/kernel-settings.ts';
import { offeredRepositories } from '../tenancy/offered-repositories.ts';
import { serviceOffering } from '../tenancy/service-offering.ts';

const keptSeconds = 300;

export default defineRoute({
  name: 'get-service-offerings',
  path: 'GET /v1/offering',
  summary: 'The sizes of graphs, the shared repositories and what they cost.',
  openapi: { id: 'get_service_offerings', tag: 'service_offerings' },
  category: 'status',
  // Anybody may ask, and the answer is the same for all: one limit for each address (platform R-6).
  limit: { maxCalls: 60, seconds: 60, per: 'ip' },
  auth: [],
  answers: { 200: serviceOfferingsResponse },
  fails: [400, 429, 500],
  services: { settings: kernelSettings, prices: tokenPrices, repositories: offeredRepositories },
  async handle({ use }) {
    return answer(200, serviceOffering(use), { 'Cache-Control': `public, max-age=${keptSeconds}` });
  },
});
