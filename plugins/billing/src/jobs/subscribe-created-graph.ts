import { defineJob, graphCreated } from '@pacioli/core';
import { graphSubscriptions } from '../tokens.ts';

export default defineJob({
  name: 'subscribe-created-graph',
  summary: 'Subscribes a new graph and charges for it.',
  on: graphCreated,
  services: { graphSubscriptions },
  maxSeconds: 60,
  async handle({ payload, use }) {
    await use.graphSubscriptions.graphCreated(payload.graph_id);
  },
});
