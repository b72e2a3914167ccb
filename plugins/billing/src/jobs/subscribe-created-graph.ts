import { defineJob, graphCreated } from '@pacioli/core';
import { billing } from '../providers.ts';

export default defineJob({
  name: 'subscribe-created-graph',
  summary: 'Subscribes a new graph and charges for it.',
  on: graphCreated,
  services: { billing },
  maxSeconds: 60,
  async handle({ payload, use }) {
    await use.billing.graphSubscriptions.graphCreated(payload.graph_id);
  },
});
