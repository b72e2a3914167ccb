import { Type } from 'typebox';
import { defineRoute } from '../define/route.ts';
import { graphEngine } from '../graph-schema/index.ts';
import graphTierInfo from '../models/GraphTierInfo.ts';
import { model } from '../schema/model.ts';
import { kernelSettings } from '../settings/kernel-settings.ts';
import { publishedTiers } from '../tenancy/graph-tiers.ts';
import { billsPlans, planBilling } from '../tenancy/plan-billing.ts';

const availableGraphTiersResponse = model('AvailableGraphTiersResponse', {
  tiers: Type.Array(graphTierInfo),
});

export default defineRoute({
  name: 'get-available-graph-tiers',
  path: 'GET /v1/graphs/tiers',
  summary: 'Lists the tiers for a new graph, smallest first.',
  openapi: { id: 'get_available_graph_tiers', tag: 'graphs' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  query: model('AvailableGraphTiersQuery', { include_disabled: Type.Optional(Type.Boolean({ default: false })) }),
  answers: { 200: availableGraphTiersResponse },
  fails: [400, 401, 403, 422, 429, 500],
  services: { settings: kernelSettings, billing: planBilling, engine: graphEngine },
  async handle({ query, use }) {
    const includesDisabled = query.include_disabled === true;
    const facts = { includesDisabled, isBilled: billsPlans(use.billing), backend: use.engine.driver };
    return { tiers: publishedTiers(use.settings, facts) };
  },
});
