import { Type } from 'typebox';
import { defineRoute } from '../define/route.ts';
import tierCapacity from '../models/TierCapacity.ts';
import { model } from '../schema/model.ts';
import { kernelSettings } from '../settings/kernel-settings.ts';
import { tierCapacities } from '../tenancy/graph-tiers.ts';

const graphCapacityResponse = model('GraphCapacityResponse', {
  tiers: Type.Array(tierCapacity),
});

export default defineRoute({
  name: 'get-graph-capacity',
  path: 'GET /v1/graphs/capacity',
  summary: 'Returns the current availability of new graphs by tier.',
  openapi: { id: 'get_graph_capacity', tag: 'graphs' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  answers: { 200: graphCapacityResponse },
  fails: [400, 401, 403, 429, 500],
  services: { settings: kernelSettings },
  async handle({ use }) {
    return { tiers: tierCapacities(use.settings) };
  },
});
